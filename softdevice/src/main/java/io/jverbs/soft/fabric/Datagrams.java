package io.jverbs.soft.fabric;

import io.jverbs.soft.transport.Capacity;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A UDP socket as the device uses it: it never blocks, and what it has no room for is {@linkplain Outgoing#lost(int) lost}. It may
 * keep packets back to send several with one call, until {@link #flush}. Sending is for every thread; receiving and closing are for
 * who has the engine's lock.
 */
interface Datagrams {
    /** How often, give or take one, a full socket buffer is tried: its packets leave without help. */
    int ATTEMPTS = 100;

    /** How many packets of so many bytes can leave with one call. */
    int together(int bytes);

    /** How much may be under way to a peer whose socket is as this one. */
    default Capacity capacity() {
        return Capacity.SINGLY;
    }

    /** Makes room for packets that will be sent here. */
    Outgoing room();

    /** Brings an address into the form that {@link Route#address} has for this socket. */
    Object address(InetSocketAddress peer);

    /**
     * Ends the packet that was written, and sends it now or soon.
     *
     * @throws IOException why a packet could not leave, this one or one that was kept back; of each one more there is a suppressed
     *             exception. The others have left all the same
     */
    void send(Outgoing packet, Route route) throws IOException;

    /** Sends what was kept back; throws as {@link #send} does. */
    void flush(Outgoing packets) throws IOException;

    /**
     * Receives what came in one piece; false if nothing has come.
     *
     * @param most how many packets are wanted, if they are there; 1 or more. Others may be taken from the system with this one: then
     *            it {@link #holds} them
     */
    boolean receive(Arrival arrival, int most) throws IOException;

    /** Whether something was taken from the system that {@link #next} gives, before anything is received again. */
    default boolean holds() {
        return false;
    }

    /** Gives the next that came in one piece and is held. */
    default void next(Arrival arrival) {
        throw new IllegalStateException("nothing is held");
    }

    /** Whether the latest call of the system has shown that there is nothing more. */
    default boolean isDry() {
        return false;
    }

    /** Closes it, once; who sends then gets an exception. */
    void close() throws IOException;
}
