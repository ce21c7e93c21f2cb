package io.jverbs.soft.transport;

import io.jverbs.Gid;

/**
 * The way of packets to a peer.
 *
 * @param source our GID
 * @param destination the peer's
 * @param address where its packets are sent, in the form that the wire's socket wants
 * @param window what reliable connections share on this way
 */
public record Route(Gid source, Gid destination, Object address, SharedWindow window) {}
