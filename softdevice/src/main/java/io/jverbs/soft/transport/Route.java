package io.jverbs.soft.transport;

import io.jverbs.Gid;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Roce;

/**
 * The path of packets to a peer over the wire. Immutable.
 *
 * @param source the local GID
 * @param destination the peer's GID
 * @param address the peer's address, in the form that the wire requires
 * @param window the window that the reliable connections on this path share
 */
public record Route(Gid source, Gid destination, Object address, PathWindow window) {

    /**
     * Sets the addresses and ports of packets on this path in an ICRC.
     *
     * @param icrc the ICRC
     */
    public void setAddresses(Icrc icrc) {
        icrc.setAddresses(source.high(), source.low(), Roce.UDP_PORT, destination.high(), destination.low(),
                Roce.UDP_PORT);
    }
}
