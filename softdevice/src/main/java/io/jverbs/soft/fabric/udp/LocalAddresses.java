package io.jverbs.soft.fabric.udp;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of this host. To list them takes several system calls, so the list is used for a second. Not
 * thread-safe.
 */
final class LocalAddresses {
    /** How long a list is used. */
    static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(LocalAddresses.class);

    /** The network interfaces of the host. */
    @FunctionalInterface
    interface Interfaces {
        /**
         * {@return the addresses of all interfaces}
         *
         * @throws SocketException if the system does not list them
         */
        Set<InetAddress> addresses() throws SocketException;
    }

    private final Interfaces interfaces;
    private final LongSupplier nanoTime;
    private Set<InetAddress> addresses;
    private long listedAt;

    LocalAddresses() {
        this(LocalAddresses::ofInterfaces, System::nanoTime);
    }

    /**
     * @param interfaces the interfaces of this host
     * @param nanoTime the clock
     */
    LocalAddresses(Interfaces interfaces, LongSupplier nanoTime) {
        this.interfaces = interfaces;
        this.nanoTime = nanoTime;
    }

    private static Set<InetAddress> ofInterfaces() throws SocketException {
        return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * {@return whether packets to an address do not leave the host: it is a loopback address, or an interface has it,
     * or had it a second ago} If the interfaces cannot be listed, all but loopback addresses count as those of other
     * hosts.
     */
    boolean contains(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        long now = nanoTime.getAsLong();
        if (addresses == null || now - listedAt > LIFE_NANOS) {
            addresses = listed();
            listedAt = now;
        }
        return addresses.contains(address);
    }

    private Set<InetAddress> listed() {
        try {
            return interfaces.addresses();
        } catch (SocketException e) {
            LOG.debug("Could not list the addresses of this host", e);
            return Set.of();
        }
    }
}
