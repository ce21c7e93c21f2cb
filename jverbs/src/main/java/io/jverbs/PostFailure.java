package io.jverbs;

/** Explains why a post failed; built after the fact, off the fast path. */
final class PostFailure {

    private PostFailure() {}

    static VerbsException of(String operation, int errno, QueuePair qp, Object request) {
        return new VerbsException(operation, errno,
                request + " on " + qp + " in " + qp.state() + why(operation, errno, qp));
    }

    private static String why(String operation, int errno, QueuePair qp) {
        boolean send = operation.equals("post_send");
        QpCapabilities sizes = qp.capabilities();
        if (errno == Errno.ENOMEM.code()) {
            return ": the queue's " + (send
                    ? sizes.maxSendWr() + " places are taken: poll completions of signaled requests first"
                    : sizes.maxRecvWr() + " places are taken");
        }
        if (send) {
            return ": sends need RTS, SQD, SQE or ERR, an operation of " + qp.type() + ", at most " + sizes.maxSendSge()
                    + " elements and " + sizes.maxInlineData() + " inline bytes"
                    + (qp.type() == QpType.UD ? ", an address handle" : "");
        }
        return ": receives need any state but RESET, a queue pair without shared receive queue and at most "
                + sizes.maxRecvSge()
                + " elements";
    }
}
