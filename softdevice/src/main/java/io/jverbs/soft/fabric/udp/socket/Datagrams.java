package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A non-blocking UDP socket of a device. Packets for which the socket buffer has no room are
 * {@linkplain SendBuffer#lost(int) lost}. Packets may be held back until {@link #flush}, to send several with one call.
 * Any thread may send. Receiving and closing need the engine's lock.
 */
public interface Datagrams {
    /** About how many times a send to a full socket buffer is tried. The buffer drains in the meantime. */
    int ATTEMPTS = 100;

    /** Returns how many packets of a length can be sent with one call. */
    int maxBatch(int bytes);

    /** Returns how much may be in flight to a peer, assuming that its socket is like this one. */
    default PathCapacity capacity() {
        return PathCapacity.UNCOALESCED;
    }

    /** Returns how much of the data that READs have requested may be in flight to this socket. */
    default PathCapacity readCapacity() {
        return capacity();
    }

    /** Allocates memory for packets that are sent with this socket. */
    SendBuffer newOutgoing();

    /** Converts an address to the form that {@link Route#address} has for this socket. */
    Object address(InetSocketAddress peer);

    /**
     * Finishes the packet that was written, and sends it now or later with others.
     *
     * @throws IOException if a packet could not be sent, this one or one that was held back. Each further failure is a
     *     suppressed exception of it. All other packets were sent
     */
    void send(SendBuffer packet, Route route) throws IOException;

    /** Sends the packets that were held back; throws as {@link #send} does. */
    void flush(SendBuffer packets) throws IOException;

    /**
     * Receives a packet, or several that were coalesced; returns false if there is nothing to receive.
     *
     * @param max the number of packets wanted, if they are available; 1 or more. The call may take further ones from
     *     the system: then {@link #holds} returns true
     */
    boolean receive(ReceivedPackets arrival, int max) throws IOException;

    /**
     * Returns whether packets were taken from the system that {@link #next} returns. They must be taken before
     * {@link #receive} is called again.
     */
    default boolean holds() {
        return false;
    }

    /** Returns the next packet, or the next coalesced packets, that the socket holds. */
    default void next(ReceivedPackets arrival) {
        throw new IllegalStateException("the socket holds no packets: call next() only if holds() returns true");
    }

    /** Returns whether the latest system call showed that there is nothing more to receive. */
    default boolean isDrained() {
        return false;
    }

    /** Closes the socket; called once. Sending then throws an exception. */
    void close() throws IOException;
}
