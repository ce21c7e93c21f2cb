package io.jverbs.strict;

import java.util.Objects;

/**
 * A mistake of a program that fails on hardware.
 *
 * @param kind the kind of mistake
 * @param explanation what happened, with the values, and the consequence on hardware
 * @param place of the call that was wrong: the first frame outside jverbs and the JDK, or else outside jverbs; null if
 * there is none
 * @param remedy what to do instead
 */
public record Violation(Kind kind, String explanation, StackTraceElement place, String remedy) {

    /** Rejects null, except for the place. */
    public Violation {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(explanation, "explanation");
        Objects.requireNonNull(remedy, "remedy");
    }

    /** The kinds of mistakes that strict mode finds. */
    public enum Kind {
        /** A send queue is full of requests of which none is signaled, so no completion reports free space. */
        NEVER_SIGNALED,
        /** A message that takes a receive request was sent before one was posted, on a queue pair with rnrRetry 0. */
        NO_RECEIVE_POSTED,
        /** The data that a request sends was changed before the request had completed. */
        PAYLOAD_CHANGED,
        /** More completions are expected than a completion queue holds. */
        COMPLETION_QUEUE_TOO_SMALL,
        /** Objects were open when their context was closed, or a context was open when the JVM exited. */
        OBJECT_LEAKED,
        /** An object was closed while events of it were retrieved and not acknowledged. */
        EVENTS_NOT_ACKNOWLEDGED,
        /** A request names an rkey of the peer that is no longer valid. */
        STALE_RKEY,
        /** A queue pair may have more READs and atomics outstanding than its peer accepts. */
        TOO_MANY_READS_FOR_PEER,
        /** The ends of a connection have different path MTUs. */
        MTU_MISMATCH,
        /** The ends of a connection, or the sender and receiver of a datagram, are in different partitions. */
        PKEY_MISMATCH,
        /** The Q_Key of a datagram differs from that of the destination queue pair. */
        QKEY_MISMATCH,
        /** A receive request for datagrams has no room for the 40 bytes before the payload. */
        NO_ROOM_FOR_GRH
    }

    /** {@return the violation in one line: kind, place, explanation and remedy} */
    @Override
    public String toString() {
        return kind + " at " + place + ": " + explanation + ". " + remedy + ".";
    }
}
