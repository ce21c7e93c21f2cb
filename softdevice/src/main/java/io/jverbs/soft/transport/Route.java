package io.jverbs.soft.transport;

import io.jverbs.Gid;
import java.net.SocketAddress;

/**
 * The way of packets to a peer.
 *
 * @param source our GID
 * @param destination the peer's
 * @param address where its packets are sent
 * @param window what reliable connections share on this way
 */
public record Route(Gid source, Gid destination, SocketAddress address, SharedWindow window) {}
