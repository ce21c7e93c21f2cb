package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Icrc;

/** Somebody who sends packets: an address and a port. */
final class Sender {
    private final Gid gid;
    private final int port;
    private final Numbering numbering;

    /** @param numbering of all that has the address */
    Sender(Gid gid, int port, Numbering numbering) {
        this.gid = gid;
        this.port = port;
        this.numbering = numbering;
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
        return numbering.accepts(id);
    }
}
