package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import java.io.IOException;

/**
 * The receiving side of a fabric that carries packets. Its queue pairs are those of one port. Thread-safe; callers hold
 * no lock.
 */
public interface PacketSource {
    /** The source of a fabric that carries no packets: there is nothing to receive and nothing to close. */
    PacketSource NONE = new PacketSource() {
        @Override
        public void serve(SoftPort port) {
            // messages reach queue pairs through the network within the JVM
        }

        @Override
        public boolean isPolled() {
            return false;
        }

        @Override
        public boolean poll() {
            return false;
        }

        @Override
        public void close() {
            // holds no resources
        }
    };

    /**
     * Sets the port whose queue pairs receive the packets. Called once, before anything is received.
     *
     * @param port the port
     */
    void serve(SoftPort port);

    /**
     * Starts to receive, if this needs a thread. Called after {@link #serve}.
     *
     * @throws io.jverbs.VerbsException if the system refuses
     */
    default void start() {
        // threads that poll receive
    }

    /** {@return whether {@link #poll} may receive something, so that threads must call it} */
    default boolean isPolled() {
        return true;
    }

    /**
     * Receives packets, unless another thread is receiving. Called by threads that poll an empty completion queue.
     *
     * @return whether it has received packets, or has left work to the next call; if not, the caller may yield its
     *         processor
     */
    boolean poll();

    /**
     * Receives as {@link #poll} does, but never leaves this to another thread that receives. Called after the caller
     * has yielded its processor: from what it finds, it learns whether the peer was waiting for that.
     *
     * @return as there
     */
    default boolean pollAfterYield() {
        return poll();
    }

    /** Makes the thread that receives, if there is one, receive: the caller is about to wait for an event. */
    default void listen() {
        // threads that wait receive
    }

    /**
     * Joins a multicast group: packets to it are received from now on. Each call must be matched by a call of
     * {@link #leave}. Has no effect if the fabric knows the members of each group.
     *
     * @param group the group
     * @throws IOException if the system refuses
     */
    default void join(Gid group) throws IOException {
        // the fabric knows the members
    }

    /**
     * Leaves a multicast group that was joined.
     *
     * @param group the group
     * @throws IOException if the system reports an error
     */
    default void leave(Gid group) throws IOException {
        // see join()
    }

    /** Closes the fabric: it neither sends nor receives any more. */
    void close();
}
