package io.jverbs.soft.fabric;

import io.jverbs.soft.wire.Icrc;

/**
 * The IP IDs of the packets from an address. Where they are 0, or the small numbers that Linux gives packets which it makes of one
 * piece, as those of this device are, they must go on so: the ID, which nobody tells us, is then hardly a hole in the ICRC. Others,
 * as Linux' rxe, count through all 16 bits, for all their queue pairs together, and so come past the small ones from time to time.
 * What an address does is found out anew when several packets in a row are otherwise.
 */
final class Numbering {
    /** The most packets that Linux makes of one piece. */
    static final int MOST_SEGMENTS = 128;
    /** Random bits look like an ID once in 2^15 times, and hardly twice in a row. */
    private static final int HARDLY_BY_CHANCE = 2;
    /** More small numbers in a row than there are on the way of who counts. */
    private static final int HARDLY_IN_PASSING = 2 * MOST_SEGMENTS;

    private boolean known;
    private boolean counts;
    /** Packets in a row that are not as those before. */
    private int inARow;

    /** Whether a packet with this ID is taken for one from the address; {@link Icrc#MISMATCH} is of nobody. */
    boolean accepts(int id) {
        if (id == Icrc.MISMATCH) {
            return false;
        }
        boolean large = id >= MOST_SEGMENTS;
        if (!known) {
            known = true;
            counts = large;
        }
        inARow = large == counts ? 0 : inARow + 1;
        if (inARow == (counts ? HARDLY_IN_PASSING : HARDLY_BY_CHANCE)) {
            counts = large;
            inARow = 0;
        }
        return !large || counts;
    }
}
