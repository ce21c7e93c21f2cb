package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Icrc;

/**
 * Somebody who sends packets. One whose packets have the IP ID 0, or the small numbers that Linux gives those which it makes of one
 * piece, as those of this device have, must go on so: the ID, which nobody tells us, is then hardly a hole in the ICRC. What it does
 * is found out anew when several packets in a row are otherwise.
 */
final class Sender {
    /** The most packets that Linux makes of one piece. */
    private static final int MOST_SEGMENTS = 128;
    private static final int PERSISTENT = 8;

    private final Gid gid;
    private final int port;
    private boolean known;
    private boolean numbers;
    /** Packets in a row that are not as those before. */
    private int inARow;

    Sender(long high, long low, int port) {
        this.gid = Gid.of(high, low);
        this.port = port;
    }

    Gid gid() {
        return gid;
    }

    int port() {
        return port;
    }

    boolean is(long high, long low, int whichPort) {
        return low == gid.low() && high == gid.high() && whichPort == port;
    }

    /** Whether a packet with this ID is taken for one of it; {@link Icrc#MISMATCH} is of nobody. */
    boolean accepts(int id) {
        if (id == Icrc.MISMATCH) {
            return false;
        }
        boolean other = id >= MOST_SEGMENTS;
        if (!known) {
            known = true;
            numbers = other;
        }
        inARow = other == numbers ? 0 : inARow + 1;
        if (inARow == PERSISTENT) {
            numbers = other;
            inARow = 0;
        }
        return !other || numbers;
    }
}
