package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.wire.Icrc;

/**
 * Decides which IPv4 IDs are plausible in packets from an address. The ICRC covers the ID, but the system does not
 * report it: {@link Icrc#verify} computes the ID that explains the ICRC.
 *
 * <p>
 * From a sender that has used ID 0, or the small numbers that Linux assigns to the packets of one segmented message, as
 * this device does, only packets with such IDs are accepted. So few IDs can explain a wrong ICRC. Other senders, such
 * as Linux's rxe, count through all 16 bits, with one counter for all their queue pairs, and so pass through the small
 * numbers from time to time. Which kind of sender has the address is decided anew when several packets in a row
 * contradict the earlier decision.
 */
final class IpIdPolicy {
    /** The maximum number of packets that Linux makes of one segmented message. */
    static final int MAX_SEGMENTS = 128;
    /**
     * How many large IDs in a row show that the sender counts. Random bits look like an ID once in 2^15 times, and
     * hardly twice in a row.
     */
    private static final int LARGE_IDS_TO_SWITCH = 2;
    /**
     * How many small IDs in a row show that the sender does not count: more than one that counts uses on its way
     * through the small numbers.
     */
    private static final int SMALL_IDS_TO_SWITCH = 2 * MAX_SEGMENTS;

    /**
     * The kind that the sender is assumed to be. A small ID is one that Linux assigns to a segment.
     * <pre>
     * state           event                                 next state
     * UNKNOWN         the first packet has a small ID       SEGMENT_IDS
     * UNKNOWN         the first packet has a large ID       COUNTS_ALL_IDS
     * SEGMENT_IDS     LARGE_IDS_TO_SWITCH of them in a row  COUNTS_ALL_IDS
     * COUNTS_ALL_IDS  SMALL_IDS_TO_SWITCH of them in a row  SEGMENT_IDS
     * </pre>
     */
    private enum SenderKind {
        /** It has sent nothing. */
        UNKNOWN,
        /** It uses ID 0, or the small numbers of segments. */
        SEGMENT_IDS,
        /** It counts through all 16 bits. */
        COUNTS_ALL_IDS
    }

    private SenderKind assumed = SenderKind.UNKNOWN;
    /** How many packets in a row contradict {@link #assumed}. */
    private int contradictions;

    /** Returns whether a packet with this ID is accepted as one from the address; {@link Icrc#MISMATCH} never is. */
    boolean accepts(int id) {
        if (id == Icrc.MISMATCH) {
            return false;
        }
        SenderKind shown = id < MAX_SEGMENTS ? SenderKind.SEGMENT_IDS : SenderKind.COUNTS_ALL_IDS;
        if (assumed == SenderKind.UNKNOWN) {
            assumed = shown;
        }
        contradictions = shown == assumed ? 0 : contradictions + 1;
        if (contradictions == (assumed == SenderKind.SEGMENT_IDS ? LARGE_IDS_TO_SWITCH : SMALL_IDS_TO_SWITCH)) {
            assumed = shown;
            contradictions = 0;
        }
        return shown == SenderKind.SEGMENT_IDS || assumed == SenderKind.COUNTS_ALL_IDS;
    }
}
