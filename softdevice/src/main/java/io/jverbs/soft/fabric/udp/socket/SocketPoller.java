package io.jverbs.soft.fabric.udp.socket;

import java.io.IOException;

/**
 * An epoll instance or a selector, in which one thread at a time waits until a socket has something to receive. All
 * methods except {@link #await} need the engine's lock.
 */
public interface SocketPoller {
    /**
     * Registers a socket, of the same kind as the others, unless it is registered already. Closing a socket ends
     * its registration.
     */
    void add(Datagrams socket) throws IOException;

    /**
     * Ends the registration of a socket, which saves the system the work of waking the thread. Called by the thread
     * that waits.
     */
    void remove(Datagrams socket) throws IOException;

    /**
     * Waits until a socket has something to receive, or {@link #wakeup} is called. Returns immediately if
     * {@link #wakeup} was called since the last wait.
     *
     * @param millis how many milliseconds to wait at most; 0 for no limit
     */
    void await(int millis) throws IOException;

    /** Makes {@link #await} return. */
    void wakeup();

    /** Ends the waiting permanently, and releases the closed sockets. */
    void end() throws IOException;

    /** Releases the resources of the system; called once, when no thread waits. */
    void close() throws IOException;
}
