package io.jverbs.contract.end;

import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import java.io.Serializable;
import java.util.List;

/** Values that an end returns. */
public final class Infos {

    private Infos() {}

    /** A memory window; {@code rkey} is its key at the time of the query. */
    public record MwInfo(int id, int type, int rkey) implements Serializable {}

    /** A completion queue and its granted capacity. */
    public record CqInfo(int id, int cqe) implements Serializable {}

    /** A shared receive queue and its granted capacity. */
    public record SrqInfo(int id, int maxWr, int maxSge) implements Serializable {}

    /** A queue pair as created. Its queues are given as ids of the end. */
    public record QpInfo(int id, int number, QpType type, QpCapabilities capabilities, int sendCq, int recvCq, int srq,
            int pd, String userContext) implements Serializable {}

    /**
     * The result of a post that does not throw: errno 0, or the errno of a refusal and the index of the failed request.
     */
    public record PostResult(int errno, int failedIndex) implements Serializable {
        public boolean ok() {
            return errno == 0;
        }
    }

    /** A completion event: the completion queue, and its user context ("cq-" + id). */
    public record CqEvent(int cq, String userContext) implements Serializable {}

    /** An asynchronous event. Objects are ids of the end, or {@link End#NONE}; port 0 means no port. */
    public record AsyncInfo(int id, AsyncEventType type, int rawType, int qp, int cq, int srq, int port)
            implements
                Serializable {}

    /** A received datagram, and the path to its sender. */
    public record Reply(Wc wc, AhAttributes attributes) implements Serializable {}

    /** The state of a job of the end: running, ended with a value (null for void), or failed. */
    public record JobResult(boolean done, Object value, RuntimeException failure) implements Serializable {

        /** Returns the value. Throws what the command threw, or an error if the command is still running. */
        public Object get() {
            if (failure != null) {
                throw failure;
            }
            if (!done) {
                throw new AssertionError("the command is still running");
            }
            return value;
        }

        public boolean failed() {
            return failure != null;
        }
    }

    /**
     * The result of {@link JobCommands#postRepeatedly}: number of accepted posts of each task, all polled completions,
     * and the refusals.
     */
    public record RepeatedPostsResult(List<Integer> posted, List<Wc> completions, List<String> refusals)
            implements
                Serializable {}

    /**
     * The result of creating objects until a refusal: their number, the errno of the refusal (0 for none), and whether
     * one more could be created after one was freed.
     */
    public record LimitResult(int created, int errno, boolean againAfterFree) implements Serializable {}
}
