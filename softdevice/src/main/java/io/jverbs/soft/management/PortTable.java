package io.jverbs.soft.management;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The ports of one device that CM IDs are bound to, by port space. The rules are those of {@code cma_check_port()} and
 * {@code cma_use_port()} in {@code drivers/infiniband/core/cma.c} of Linux. Not thread-safe.
 */
final class PortTable {
    /** The ephemeral ports, as in net.ipv4.ip_local_port_range of Linux. */
    private static final int FIRST_EPHEMERAL = 32768;
    private static final int LAST_EPHEMERAL = 60999;
    private static final int MAX_PORT = 0xFFFF;

    private final RandomGenerator random;
    private final Map<Key, List<Binding>> bindings = new HashMap<>();
    private int latestEphemeral;

    PortTable(RandomGenerator random) {
        this.random = random;
    }

    private record Key(int portSpace, int port) {}

    /** The binding of a CM ID to an address and a port. */
    static final class Binding {
        private final Key key;
        /** Null for the wildcard address. */
        private final InetAddress address;
        private final boolean ipv6;
        boolean reuseAddress;
        boolean familyOnly;
        private boolean listening;

        private Binding(Key key, InetAddress address, boolean ipv6, boolean reuseAddress, boolean familyOnly) {
            this.key = key;
            this.address = address;
            this.ipv6 = ipv6;
            this.reuseAddress = reuseAddress;
            this.familyOnly = familyOnly;
        }

        int port() {
            return key.port;
        }

        InetAddress address() {
            return address;
        }

        boolean isListening() {
            return listening;
        }

        /** Whether requests for an address arrive at this binding. */
        boolean accepts(InetAddress destination) {
            boolean sameFamily = ipv6 == destination.getAddress().length > Integer.BYTES;
            return address == null ? sameFamily || !familyOnly : address.equals(destination);
        }
    }

    /**
     * Binds a CM ID.
     *
     * @param portSpace the number of the port space
     * @param address the address, null for the wildcard address
     * @param ipv6 whether the address is an IPv6 address, also if it is the wildcard address
     * @param port the port, 0 for any free one
     * @param reuseAddress whether other IDs that allow it, too, may be bound to the same port
     * @param familyOnly whether an ID with the wildcard address accepts requests for addresses of its family only
     * @return the binding
     * @throws VerbsException with EADDRINUSE or EADDRNOTAVAIL if the port is in use
     */
    Binding bind(int portSpace, InetAddress address, boolean ipv6, int port, boolean reuseAddress,
            boolean familyOnly) {
        if (port < 0 || port > MAX_PORT) {
            throw new VerbsException("bind_addr", Errno.EINVAL, "port " + port + " is outside 0.." + MAX_PORT);
        }
        int chosen = port == 0 ? ephemeral(portSpace) : port;
        Binding made = new Binding(new Key(portSpace, chosen), address, ipv6, reuseAddress, familyOnly);
        check("bind_addr", made);
        bindings.computeIfAbsent(made.key, key -> new ArrayList<>()).add(made);
        return made;
    }

    private int ephemeral(int portSpace) {
        int count = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
        int start = random.nextInt(count);
        for (int i = 0; i < count; i++) {
            int port = FIRST_EPHEMERAL + (start + i) % count;
            if (port != latestEphemeral && !bindings.containsKey(new Key(portSpace, port))) {
                latestEphemeral = port;
                return port;
            }
        }
        throw new VerbsException("bind_addr", Errno.EADDRNOTAVAIL,
                "all ports from " + FIRST_EPHEMERAL + " to " + LAST_EPHEMERAL + " are in use");
    }

    /** Throws if another binding excludes this one. */
    private void check(String operation, Binding wanted) {
        for (Binding present : bindings.getOrDefault(wanted.key, List.of())) {
            boolean shared = wanted.reuseAddress && present.reuseAddress && !present.listening && !wanted.listening;
            boolean otherFamily = wanted.familyOnly && present.familyOnly && wanted.ipv6 != present.ipv6;
            if (present == wanted || shared || otherFamily) {
                continue;
            }
            if (wanted.address == null || present.address == null) {
                throw inUse(operation, Errno.EADDRNOTAVAIL, wanted, present);
            }
            if (wanted.address.equals(present.address)) {
                throw inUse(operation, Errno.EADDRINUSE, wanted, present);
            }
        }
    }

    /** The option to reuse addresses helps only as long as neither ID listens. */
    private static VerbsException inUse(String operation, Errno errno, Binding wanted, Binding present) {
        boolean isListening = wanted.listening || present.listening;
        return new VerbsException(operation, errno, "port " + wanted.port() + " is in use at "
                + (present.address == null ? "the wildcard address" : present.address.getHostAddress())
                + ": use another port or address"
                + (isListening ? "" : ", or set the option to reuse addresses on both IDs"));
    }

    /** Makes a binding listen. It must be the only one of its address and port. */
    void listen(Binding binding) {
        binding.listening = true;
        try {
            check("listen", binding);
        } catch (VerbsException e) {
            binding.listening = false;
            throw e;
        }
    }

    /** Returns the listening binding that a request for an address arrives at, or null. */
    Binding find(int portSpace, int port, InetAddress destination) {
        for (Binding each : bindings.getOrDefault(new Key(portSpace, port), List.of())) {
            if (each.listening && each.accepts(destination)) {
                return each;
            }
        }
        return null;
    }

    /** Frees the port of a binding. */
    void unbind(Binding binding) {
        List<Binding> all = bindings.get(binding.key);
        if (all != null && all.remove(binding) && all.isEmpty()) {
            bindings.remove(binding.key);
        }
    }
}
