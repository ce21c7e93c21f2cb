package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
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
 * <p>
 * The constructor takes addresses that are known, as with {@code RAI_NUMERICHOST}; {@link InetAddress#ofLiteral} makes
 * one of a text without the resolver. A service may be given by the name that {@code /etc/services} has, on each
 * device; other sources of names, such as NIS, are not used. There is no {@code RAI_NOROUTE}, since no route is
 * resolved before {@link CmId#resolveRoute}.
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
    private static final String ANY_IPV6 = "::";

    /**
     * Creates a value from known addresses.
     *
     * @throws VerbsException with EINVAL if a listener has a destination, if an address is a host name without an
     *         address, or if both addresses are of different families
     * @throws NullPointerException if an address is null that the direction needs
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
                requireSameFamily(source, destination);
            }
        }
    }

    private static void requireSameFamily(InetSocketAddress source, InetSocketAddress destination) {
        if (family(source.getAddress()) != family(destination.getAddress())) {
            throw new VerbsException(OPERATION, Errno.EINVAL, "source " + source + " is not of the family of "
                    + destination + ": give an address of the same family");
        }
    }

    /**
     * Finds the address of a peer to connect to, of either family. If the host has several addresses, the first one is
     * taken. Waits for the system's resolver if the node is a host name.
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
        return active(portSpace, checked(port), address(node, null));
    }

    /**
     * Finds the address of a peer to connect to, of one family, as with {@code RAI_FAMILY}; otherwise as {@link
     * #active(String, int, PortSpace)}.
     *
     * @param node a host name, or an IPv4 or IPv6 address
     * @param port the port, 0 to 65535
     * @param portSpace the port space
     * @param family {@link StandardProtocolFamily#INET} or {@link StandardProtocolFamily#INET6}
     * @return the address of the peer
     * @throws VerbsException with EINVAL if the port is outside its range, or for another family; with EHOSTUNREACH if
     *         the host has no address of the family
     */
    public static AddressInfo active(String node, int port, PortSpace portSpace, StandardProtocolFamily family) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(portSpace, "portSpace");
        return active(portSpace, checked(port), address(node, checked(family)));
    }

    /**
     * Finds the address of a peer to connect to, and the port of a service; see services(5).
     *
     * @param node a host name, or an IPv4 or IPv6 address
     * @param service a name of {@code /etc/services}, for TCP or, in port spaces with UD queue pairs, for UDP; or a
     *            port, 0 to 65535
     * @param portSpace the port space
     * @return the address of the peer
     * @throws VerbsException with EINVAL if the service has no port, or the port is outside its range; with
     *         EHOSTUNREACH if the host has no address
     */
    public static AddressInfo active(String node, String service, PortSpace portSpace) {
        return active(Objects.requireNonNull(node, "node"), port(service, portSpace), portSpace);
    }

    private static int port(String service, PortSpace portSpace) {
        Objects.requireNonNull(service, "service");
        return ServiceNames.port(service, Objects.requireNonNull(portSpace, "portSpace"));
    }

    private static AddressInfo active(PortSpace portSpace, int port, InetAddress peer) {
        return new AddressInfo(false, portSpace, portSpace.qpType(), null, new InetSocketAddress(peer, port));
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
        return passive(portSpace, checked(port), address(node == null ? ANY : node, null));
    }

    /**
     * Finds the address that a listener is bound to, of one family, as with {@code RAI_FAMILY}; otherwise as {@link
     * #passive(String, int, PortSpace)}.
     *
     * @param node a host name, or an IPv4 or IPv6 address; null for the wildcard address of the family
     * @param port the port, 0 to 65535; 0 for any free port
     * @param portSpace the port space
     * @param family {@link StandardProtocolFamily#INET} or {@link StandardProtocolFamily#INET6}
     * @return the address to bind
     * @throws VerbsException with EINVAL if the port is outside its range, or for another family; with EHOSTUNREACH if
     *         the host has no address of the family
     */
    public static AddressInfo passive(String node, int port, PortSpace portSpace, StandardProtocolFamily family) {
        Objects.requireNonNull(portSpace, "portSpace");
        String any = checked(family) == StandardProtocolFamily.INET6 ? ANY_IPV6 : ANY;
        return passive(portSpace, checked(port), address(node == null ? any : node, family));
    }

    /**
     * Finds the address that a listener is bound to, and the port of a service; see services(5).
     *
     * @param node a host name, or an IPv4 or IPv6 address; null for the IPv4 wildcard address
     * @param service a name of {@code /etc/services}, for TCP or, in port spaces with UD queue pairs, for UDP; or a
     *            port, 0 to 65535; 0 for any free port
     * @param portSpace the port space
     * @return the address to bind
     * @throws VerbsException with EINVAL if the service has no port, or the port is outside its range; with
     *         EHOSTUNREACH if the host has no address
     */
    public static AddressInfo passive(String node, String service, PortSpace portSpace) {
        return passive(node, port(service, portSpace), portSpace);
    }

    private static AddressInfo passive(PortSpace portSpace, int port, InetAddress own) {
        return new AddressInfo(true, portSpace, portSpace.qpType(), new InetSocketAddress(own, port), null);
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
        return new AddressInfo(passive, portSpace, qpType, source, destination);
    }

    /**
     * Returns one with another type of queue pair, the {@code ai_qp_type} of the hints.
     *
     * @param type the type; port space {@link PortSpace#IB} allows RC and UC, the others their own
     * @return the new value
     */
    public AddressInfo withQpType(QpType type) {
        return new AddressInfo(passive, portSpace, Objects.requireNonNull(type, "type"), source, destination);
    }

    private static StandardProtocolFamily family(InetAddress address) {
        return address instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    private static StandardProtocolFamily checked(StandardProtocolFamily family) {
        if (Objects.requireNonNull(family, "family") == StandardProtocolFamily.UNIX) {
            throw new VerbsException(OPERATION, Errno.EINVAL, "family " + family + ", allowed are INET and INET6");
        }
        return family;
    }

    /** Returns the first address of a node, of a family if that is not null. */
    private static InetAddress address(String node, StandardProtocolFamily family) {
        if (node.isEmpty()) {
            throw new VerbsException(OPERATION, Errno.EINVAL,
                    "node \"\" is empty: give a host name or an IP address");
        }
        UnknownHostException cause = null;
        try {
            for (InetAddress each : InetAddress.getAllByName(node)) {
                if (family == null || family(each) == family) {
                    return each;
                }
            }
        } catch (UnknownHostException e) {
            cause = e;
        }
        VerbsException failure = new VerbsException(OPERATION, Errno.EHOSTUNREACH,
                "node \"" + node + "\" has no address"
                        + (cause == null ? " of family " + family : "")
                        + ": check the spelling and the name server, or give an IP address");
        failure.initCause(cause);
        throw failure;
    }

    private static int checked(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw VerbsException.outOfRange(OPERATION, "port", port, 0, MAX_PORT);
        }
        return port;
    }
}
