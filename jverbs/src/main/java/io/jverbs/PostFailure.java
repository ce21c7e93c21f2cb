package io.jverbs;

import io.jverbs.spi.DataPath;

/**
 * Stores which request of a post failed, and creates the exception. That finds the cause from the errno, the request
 * and the attributes of the queue, after the failure and off the fast path.
 */
final class PostFailure {
    private static final int ENOMEM = Errno.ENOMEM.code();
    private static final int EINVAL = Errno.EINVAL.code();

    /** The result of a post of a chain that names an object of another context. */
    static final long FOREIGN = DataPath.failed(EINVAL, 0);

    private PostFailure() {}

    /** Stores the failed request of a post in the first request of its chain, and returns the result of the device. */
    static long store(WorkRequest head, long result) {
        if (result == DataPath.POSTED) {
            head.posted();
        } else {
            head.failedAt(DataPath.index(result));
        }
        return result;
    }

    /** Returns the exception for a failed post of send requests; the result is that of the device. */
    static VerbsException ofSend(QueuePair qp, DataPath device, SendWorkRequest head, long result) {
        int errno = DataPath.errno(result);
        String foreign = result == FOREIGN
                ? ForeignObject.inChain(qp.context(), head, qp.capabilities().maxSendWr() + 1)
                : null;
        if (foreign != null) {
            return failure("post_send", errno, head + on(qp, null), foreign);
        }
        QpAttributes attributes = attributes(qp, errno);
        String why = errno == EINVAL ? SendRefusal.reason(qp, attributes, head.failed()) : null;
        why = why == null ? device.explainSend(qp.handle(), head, errno) : why;
        if (why == null && errno == ENOMEM) {
            why = full("send", qp.capabilities().maxSendWr(), DataPath.index(result),
                    "a slot becomes free when the completion of its request, or of a later SIGNALED request, has been"
                            + " polled");
        }
        return failure("post_send", errno, head.failed() + on(qp, attributes), why);
    }

    /** Returns the exception for a failed post of receive requests; the result is that of the device. */
    static VerbsException ofReceive(QueuePair qp, DataPath device, ReceiveWorkRequest head, long result) {
        int errno = DataPath.errno(result);
        String foreign = result == FOREIGN
                ? ForeignObject.inChain(qp.context(), head, qp.capabilities().maxRecvWr() + 1)
                : null;
        if (foreign != null) {
            return failure("post_recv", errno, head + on(qp, null), foreign);
        }
        QpAttributes attributes = attributes(qp, errno);
        String why = errno == EINVAL ? receiveReason(qp, attributes, head.failed()) : null;
        why = why == null ? device.explainReceive(qp.handle(), head, errno) : why;
        if (why == null && errno == ENOMEM) {
            why = full("receive", qp.capabilities().maxRecvWr(), DataPath.index(result),
                    "a slot becomes free when the completion of its request has been polled");
        }
        return failure("post_recv", errno, head.failed() + on(qp, attributes), why);
    }

    /** Returns the exception for a failed post to a shared receive queue; the result is that of the device. */
    static VerbsException ofSharedReceive(SharedReceiveQueue srq, DataPath device, ReceiveWorkRequest head,
            long result) {
        int errno = DataPath.errno(result);
        String foreign = result == FOREIGN ? ForeignObject.inChain(srq.context(), head, srq.maxWr() + 1) : null;
        if (foreign != null) {
            return failure("post_srq_recv", errno, head + " on " + srq, foreign);
        }
        SrqAttributes sizes = errno == EINVAL ? attributes(srq) : null;
        String why = sizes == null ? null : tooMany(head.failed().sgeCount(), sizes.maxSge());
        why = why == null ? device.explainSharedReceive(srq.handle(), head, errno) : why;
        if (why == null && errno == ENOMEM) {
            why = full("shared receive", srq.maxWr(), DataPath.index(result),
                    "a slot becomes free when a message has consumed its request and, on some devices, its completion"
                            + " has been polled");
        }
        return failure("post_srq_recv", errno, head.failed() + " on " + srq, why);
    }

    private static VerbsException failure(String operation, int errno, String what, String why) {
        return new VerbsException(operation, errno, what + ": " + (why == null ? unexplained(errno) : why));
    }

    /** Describes the errno if neither this class nor the device found the cause. */
    private static String unexplained(int errno) {
        return switch (Errno.of(errno)) {
            case EINVAL -> "the device gives no reason, and the present attributes of the queue permit the request";
            case EIO -> "the device failed or was removed";
            case UNKNOWN -> "the device gives no reason";
            case Errno known -> "the device gives no reason other than \"" + known.description() + "\"";
        };
    }

    /** Returns the attributes; null if the device failed or was removed, or the query fails. */
    private static QpAttributes attributes(QueuePair qp, int errno) {
        if (errno == Errno.EIO.code()) {
            return null;
        }
        try {
            return qp.query();
        } catch (VerbsException | IllegalStateException e) {
            // the device was removed or the queue pair closed meanwhile: report the error of the post
            return null;
        }
    }

    private static SrqAttributes attributes(SharedReceiveQueue srq) {
        try {
            return srq.query();
        } catch (VerbsException | IllegalStateException e) {
            // the device was removed or the queue closed meanwhile: report the error of the post
            return null;
        }
    }

    /** Names the queue pair and its state, if known. */
    private static String on(QueuePair qp, QpAttributes attributes) {
        return " on " + qp + (attributes == null ? "" : " in " + attributes.state());
    }

    /** Explains ENOMEM for the request at an index of its chain. */
    private static String full(String queue, int slots, int index, String until) {
        if (slots == 0) {
            return "the " + queue + " queue was created with 0 slots";
        }
        if (index >= slots) {
            return "it is number " + (index + 1L) + " of its chain, and the " + queue + " queue holds " + slots
                    + " requests: post the chain in parts";
        }
        return "the " + queue + " queue of " + slots + " requests is full: " + until;
    }

    private static String receiveReason(QueuePair qp, QpAttributes attributes, ReceiveWorkRequest request) {
        if (qp.srq() != null) {
            return "the queue pair uses a shared receive queue: post to that queue";
        }
        if (attributes != null && attributes.state() == QpState.RESET) {
            return "a queue pair in RESET does not accept receive requests: move it to INIT first";
        }
        return tooMany(request.sgeCount(), qp.capabilities().maxRecvSge());
    }

    /** Returns an explanation if a request has more elements than the queue allows, otherwise null. */
    static String tooMany(int elements, int max) {
        return elements > max
                ? "it has " + elements + " scatter/gather elements, and the queue allows 0 to " + max + " per request"
                : null;
    }
}
