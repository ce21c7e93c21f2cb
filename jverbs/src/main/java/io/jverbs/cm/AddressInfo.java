package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/**
 * What an ID is created for: an address to bind or to connect to, the port space and the type of the queue pair; {@code
 * struct rdma_addrinfo}, see rdma_getaddrinfo(3). {@link SynchronousCmId#create(io.jverbs.RdmaContext, AddressInfo,
 * io.jverbs.ProtectionDomain, io.jverbs.QpInitAttributes)} takes one. A value is immutable.
 *
 * {@snippet :
 * AddressInfo server = AddressInfo.passive(null, 7471, PortSpace.TCP);
 * AddressInfo peer = AddressInfo.active("node7", 7471, PortSpace.TCP);
 * }
 *
 * @param passive whether the ID listens, {@code RAI_PASSIVE}
 * @param portSpace the port space
 * @param qpType the type of the queue pair, one that the port space has
 * @param source the local address: of a listener the one to bind; otherwise it may be null, for any
 * @param destination the address of the peer; null if {@code passive}
 */
public record AddressInfo(boolean passive, PortSpace portSpace, QpType qpType, InetSocketAddress source,
        InetSocketAddress destination) {
    private static final String OPERATION = "getaddrinfo";
    private static final int MAX_PORT = 0xFFFF;
    private static final String ANY = "0.0.0.0";

    /**
     * Creates a value from known addresses.
     *
     * @throws VerbsException with EINVAL if an address is missing that the direction needs, if a listener has a
     *         destination, or if an address is a host name without an address
     */
    public AddressInfo {
        Objects.requireNonNull(portSpace, "portSpace");
        Objects.requireNonNull(qpType, "qpType");
        if (passive && destination != null) {
            throw new VerbsException(OPERATION, Errno.EINVAL,
                    "destination " + destination + ": an ID that listens has no destination, allowed is null");
        }
        if (passive) {
            ResolvedAddress.of(OPERATION, "source", source);
        } else {
            ResolvedAddress.of(OPERATION, "destination", destination);
            if (source != null) {
                ResolvedAddress.of(OPERATION, "source", source);
            }
        }
    }

    /**
     * Finds the address of a peer to connect to. If the host has several addresses, the first one is taken. Waits for
     * the system's resolver if the node is a host name.
     *
     * @param node a host name, or an IPv4 or IPv6 address
     * @param port the port, 0 to 65535
     * @param portSpace the port space
     * @return the address of the peer, from any local address, with the queue pair type of the port space
     * @throws VerbsException with EINVAL if the port is outside its range; with EHOSTUNREACH if the host has no address
     */
    public static AddressInfo active(String node, int port, PortSpace portSpace) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(portSpace, "portSpace");
        return new AddressInfo(false, portSpace, portSpace.qpType(), null,
                new InetSocketAddress(address(node), checked(port)));
    }

    /**
     * Finds the address that a listener is bound to. Waits for the system's resolver if the node is a host name.
     *
     * @param node a host name, or an IPv4 or IPv6 address; null for the IPv4 wildcard address
     * @param port the port, 0 to 65535; 0 for any free port
     * @param portSpace the port space
     * @return the address to bind, with the queue pair type of the port space
     * @throws VerbsException with EINVAL if the port is outside its range; with EHOSTUNREACH if the host has no address
     */
    public static AddressInfo passive(String node, int port, PortSpace portSpace) {
        Objects.requireNonNull(portSpace, "portSpace");
        InetAddress own = address(node == null ? ANY : node);
        return new AddressInfo(true, portSpace, portSpace.qpType(), new InetSocketAddress(own, checked(port)), null);
    }

    /**
     * Returns one with another local address.
     *
     * @param source the local address and port
     * @return the new value
     * @throws VerbsException with EINVAL if its family is not that of the destination
     */
    public AddressInfo withSource(InetSocketAddress source) {
        ResolvedAddress.of(OPERATION, "source", source);
        if (destination != null && family(source) != family(destination)) {
            throw new VerbsException(OPERATION, Errno.EINVAL, "source " + source + " is not of the family of "
                    + destination + ": give an address of the same family");
        }
        return new AddressInfo(passive, portSpace, qpType, source, destination);
    }

    private static Class<?> family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address ? Inet4Address.class : Inet6Address.class;
    }

    private static InetAddress address(String node) {
        try {
            return InetAddress.getByName(node);
        } catch (UnknownHostException e) {
            VerbsException failure = new VerbsException(OPERATION, Errno.EHOSTUNREACH, "node \"" + node
                    + "\" has no address: check the spelling and the name server, or give an IP address");
            failure.initCause(e);
            throw failure;
        }
    }

    private static int checked(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw VerbsException.outOfRange(OPERATION, "port", port, 0, MAX_PORT);
        }
        return port;
    }
}
