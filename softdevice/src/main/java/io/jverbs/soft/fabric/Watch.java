package io.jverbs.soft.fabric;

import java.io.IOException;

/** What one thread waits with until there is something to receive from sockets. Its calls but {@link #await} need the engine's lock. */
interface Watch {
    /** Waits for one more socket, of the same kind, unless it does already; one that is closed leaves by itself. */
    void add(Datagrams socket) throws IOException;

    /** Waits for a socket no more, and spares the system the work; called by who waits. */
    void remove(Datagrams socket) throws IOException;

    /** Waits until there is something to receive, or {@link #wakeup} is called, or was since the last time. */
    void await() throws IOException;

    /** Ends the waiting. */
    void wakeup();

    /** Ends the waiting for ever, and lets go of sockets that are closed. */
    void end() throws IOException;

    /** Gives back what it has of the system, once; nobody may be waiting any more. */
    void close() throws IOException;
}
