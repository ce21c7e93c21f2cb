package io.jverbs.strict;

/**
 * Something a program did that hardware punishes.
 *
 * @param kind what it is
 * @param explanation what happened, with the values
 * @param place of the call that was wrong: the first frame outside jverbs and the JDK, or else outside jverbs; null if there is none
 * @param remedy what to do instead
 */
public record Violation(Kind kind, String explanation, StackTraceElement place, String remedy) {

    /** What strict mode finds. */
    public enum Kind {
        /** A send queue fills with requests of which none is signaled: nothing tells when there is room again. */
        NEVER_SIGNALED,
        /** A message that needs a receive was sent before one was posted, on a queue pair that does not try again. */
        NO_RECEIVE_POSTED,
        /** What a request sends was changed before the request had completed. */
        PAYLOAD_CHANGED,
        /** More completions are to come than a completion queue holds. */
        COMPLETION_QUEUE_TOO_SMALL,
        /** Objects were open when their context closed, or a context was when the JVM ended. */
        OBJECT_LEAKED,
        /** An object was closed with events that are retrieved and not acknowledged. */
        EVENTS_NOT_ACKNOWLEDGED,
        /** A request names memory of the peer that is no longer registered. */
        RKEY_OF_NOTHING,
        /** A queue pair may have more READs and atomics under way than its peer has room for. */
        TOO_MANY_READS_FOR_PEER,
        /** The ends of a connection have different path MTUs. */
        MTU_MISMATCH,
        /** The ends of a connection, or of a datagram, are in different partitions. */
        PKEY_MISMATCH,
        /** A datagram has another Q_Key than the queue pair that it is for. */
        QKEY_MISMATCH
    }

    /** {@return all of it on one line} */
    @Override
    public String toString() {
        return kind + " at " + place + ": " + explanation + ". " + remedy + ".";
    }
}
