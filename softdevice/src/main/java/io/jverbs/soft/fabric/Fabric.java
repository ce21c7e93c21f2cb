package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.Wire;
import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A way in which the packets of a device travel: within this JVM ({@link LocalFabric}), over UDP ({@code UdpFabric}),
 * or through a simulated network. A device has one fabric and takes its name, address, MTU, timers and numbers from it.
 */
public interface Fabric {

    /** {@return the device's name} */
    String name();

    /** {@return the device's address, the second entry of its GID table} */
    Gid gid();

    /** {@return the largest path MTU that the fabric carries} */
    Mtu mtu();

    /** {@return the network within the JVM through which the device finds peers, with its timers and deferred work} */
    LocalNetwork network();

    /** {@return the generator of the device's keys and queue pair numbers} */
    RandomGenerator random();

    /** {@return the source of memory addresses and first PSNs} */
    default NumberSource numbers() {
        return NumberSource.ORDINARY;
    }

    /** {@return how packets leave the JVM; null if they do not} */
    Wire wire();

    /**
     * Sets the port whose queue pairs receive the packets. Nothing may be received before.
     *
     * @param port the port
     */
    void serve(SoftPort port);

    /**
     * Sets the tap for packets from now on. The port has the same tap.
     *
     * @param tap the tap, or null for none
     */
    void tap(Tap tap);

    /**
     * {@return whether packets also pass through this fabric between queue pairs that could reach each other within the
     * JVM}
     */
    boolean isOnlyWay();

    /**
     * Receives packets, unless another thread is receiving. Called by threads that poll an empty completion queue, and
     * hold no lock.
     */
    void poll();

    /** {@return whether {@link #poll} may receive something, so that threads must call it} */
    boolean isPolled();

    /** Makes the fabric's thread receive, if it has one: the caller is about to wait for an event. */
    void listen();

    /** {@return what threads do while they wait for events; null if they only wait} */
    Progress progress();

    /** Called after a context was opened on the device. */
    void opened();

    /** Called after a context on the device was closed. */
    void contextClosed();

    /**
     * Joins a multicast group: packets to it are received from now on. Each call must be matched by a call of
     * {@link #leave}.
     *
     * @param group the group
     * @throws IOException if the system refuses
     */
    void join(Gid group) throws IOException;

    /**
     * Leaves a multicast group that was joined.
     *
     * @param group the group
     * @throws IOException if the system reports an error
     */
    void leave(Gid group) throws IOException;

    /**
     * Makes sure that the device's clock reaches a time, if it advances only to times for which something is scheduled.
     *
     * @param nanos how many nanoseconds from now
     */
    default void alarm(long nanos) {}

    /**
     * {@return what tests and tools can use of this fabric}
     *
     * @param <T> the type of the capability
     * @param type the type of the capability, an interface of {@link io.jverbs.control}
     */
    default <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    /** Closes the fabric: it neither sends nor receives any more. */
    void close();

    /**
     * The progress of a network that has no thread of its own: threads that wait for an event run what is scheduled.
     * Callers hold no lock.
     */
    interface Progress {

        /**
         * {@return a time on the network's clock}
         *
         * @param nanos how many nanoseconds from now, not negative
         */
        long deadline(long nanos);

        /**
         * Runs the next scheduled event.
         *
         * @param deadline the latest time for which the event may be scheduled
         * @return false if no event is scheduled up to the deadline
         */
        boolean step(long deadline);

        /**
         * Advances the clock to the deadline of a wait that timed out.
         *
         * @param deadline the deadline
         * @return false if an event is scheduled up to the deadline after all
         */
        boolean elapsed(long deadline);
    }
}
