package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.soft.transport.LocalPeers;
import io.jverbs.soft.transport.PacketNetwork;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A way in which the packets of a device travel: within this JVM ({@link LocalFabric}), over UDP ({@code UdpFabric}),
 * or through a simulated network. A device has one fabric and takes its name, address, MTU, timers, numbers and
 * transport services from it.
 *
 * <p>
 * Some fabrics have other parts: a {@link PacketNetwork}, on which packets leave the JVM, a {@link PacketSource}, from
 * which they are received, and a {@link NetworkLifetime}.
 */
public interface Fabric {

    /** {@return the device's name} */
    String name();

    /** {@return the device's address, the second entry of its GID table} */
    Gid gid();

    /** {@return the largest path MTU that the fabric carries} */
    Mtu mtu();

    /** {@return the network within the JVM: ports with their GIDs, multicast groups, timers and deferred work} */
    LocalNetwork network();

    /** {@return the generator of the device's keys and queue pair numbers} */
    RandomGenerator random();

    /** {@return the transport services of the device's queue pairs} */
    ServiceTypes services();

    /**
     * {@return the lookup of the queue pairs that are reached within the JVM} By default, it finds all queue pairs of
     * the {@link #network()}.
     */
    default LocalPeers peers() {
        return network();
    }

    /** {@return the source of memory addresses and first PSNs; by default, one whose numbers differ in each run} */
    default NumberSource numbers() {
        return NumberSource.ORDINARY;
    }

    /** {@return how packets leave the JVM; by default, none do} */
    default PacketNetwork wire() {
        return PacketNetwork.NONE;
    }

    /** {@return where packets are received from; by default, none are} */
    default PacketSource packets() {
        return PacketSource.NONE;
    }

    /** {@return how long the fabric's network exists; by default, as long as the JVM} */
    default NetworkLifetime lifetime() {
        return NetworkLifetime.UNLIMITED;
    }

    /** {@return how threads wait for completion events; by default, as for other events} */
    default EventWait completionWait() {
        return eventWait();
    }

    /** {@return how threads wait for events; by default, they park} */
    default EventWait eventWait() {
        return EventWait.PARKING;
    }

    /**
     * Makes sure that the device's clock reaches a time. Only a clock that advances from one scheduled event to the
     * next needs this.
     *
     * @param nanos how many nanoseconds from now
     */
    default void alarm(long nanos) {
        // a clock in real time
    }

    /**
     * {@return what tests and tools can use of this fabric}
     *
     * @param <T> the type of the capability
     * @param type the type of the capability, an interface of {@link io.jverbs.control}
     */
    default <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }
}
