package io.jverbs.contract.end;

import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import java.io.Serializable;
import java.util.List;

/** Small answers of an end. */
public final class Infos {

    private Infos() {}

    /** A memory window; {@code rkey} as it was when asked. */
    public record MwInfo(int id, int type, int rkey) implements Serializable {}

    /** A completion queue and its real capacity. */
    public record CqInfo(int id, int cqe) implements Serializable {}

    /** A shared receive queue and its real capacity. */
    public record SrqInfo(int id, int maxWr, int maxSge) implements Serializable {}

    /** A queue pair: what the created object answers; ids of the end for the queues it names. */
    public record QpInfo(int id, int number, QpType type, QpCapabilities capabilities, int sendCq, int recvCq, int srq,
            int pd, String userContext) implements Serializable {}

    /** Outcome of a post that does not throw: errno 0 or the refusal with the index of the failing request. */
    public record PostResult(int errno, int failedIndex) implements Serializable {
        public boolean ok() {
            return errno == 0;
        }
    }

    /** A completion event: the queue and the user context that queue was created with ("cq-" + id). */
    public record CqEvent(int cq, String userContext) implements Serializable {}

    /** An asynchronous event; ids of the end or {@link End#NONE}; port 0 for none. */
    public record AsyncInfo(int id, AsyncEventType type, int rawType, int qp, int cq, int srq, int port)
            implements
                Serializable {}

    /** A received datagram and the path back to its sender. */
    public record Reply(Wc wc, AhAttributes attributes) implements Serializable {}

    /** A job of the end: still running, returned a value (null for void), or failed. */
    public record JobResult(boolean done, Object value, RuntimeException failure) implements Serializable {

        /** The value; throws what the command threw; fails while it runs. */
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

    /** What became of {@link JobCommands#hammer}: posts accepted by task, all completions polled, what was refused. */
    public record HammerResult(List<Integer> posted, List<Wc> completions, List<String> refusals)
            implements
                Serializable {}

    /** Objects made until refusal: how many, the errno of the refusal (0: none), created again after freeing one. */
    public record LimitResult(int created, int errno, boolean againAfterFree) implements Serializable {}
}
