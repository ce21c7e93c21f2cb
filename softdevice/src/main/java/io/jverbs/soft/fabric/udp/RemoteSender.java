package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Icrc;

/** A sender of packets: an address and a UDP port. */
final class RemoteSender {
    private final Gid gid;
    private final int port;
    private final IpIdPolicy ipIdPolicy;

    /**
     * @param ipIdPolicy the policy for all packets from the address
     */
    RemoteSender(Gid gid, int port, IpIdPolicy ipIdPolicy) {
        this.gid = gid;
        this.port = port;
        this.ipIdPolicy = ipIdPolicy;
    }

    Gid gid() {
        return gid;
    }

    int port() {
        return port;
    }

    boolean matches(long high, long low, int otherPort) {
        return low == gid.low() && high == gid.high() && otherPort == port;
    }

    /** Returns whether a packet with this ID is accepted as one of this sender; {@link Icrc#MISMATCH} never is. */
    boolean accepts(int id) {
        return ipIdPolicy.accepts(id);
    }
}
