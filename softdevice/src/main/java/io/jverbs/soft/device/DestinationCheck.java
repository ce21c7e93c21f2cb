package io.jverbs.soft.device;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;

/**
 * Checks destination GIDs before anything is sent to them. The rules are the same within the JVM, over UDP and on a
 * simulated network.
 */
final class DestinationCheck {
    private static final Gid ANY = Gid.parse("0.0.0.0");
    private static final Gid BROADCAST = Gid.parse("255.255.255.255");

    private DestinationCheck() {}

    /**
     * Checks that packets can be sent from a source to a destination.
     *
     * @param operation the verb, for the exception
     * @param source the source GID
     * @param destination the destination GID
     * @param datagrams whether UD datagrams are sent there; only they may be sent to a multicast group
     * @throws VerbsException with EINVAL if not; the message contains the destination and what is allowed
     */
    static void check(String operation, Gid source, Gid destination, boolean datagrams) {
        if (destination.isZero() || destination.equals(ANY)) {
            throw refused(operation, destination,
                    "is the unspecified address, which is never a valid destination: use a port's GID");
        }
        if (destination.equals(BROADCAST)) {
            throw refused(operation, destination, datagrams
                    ? "is the broadcast address, which RDMA does not support: use a port's GID or a multicast group"
                    : "is the broadcast address, which RDMA does not support: use a port's GID");
        }
        if (!datagrams && destination.isMulticast()) {
            throw refused(operation, destination,
                    "is a multicast group, to which only UD queue pairs can send: use a port's GID");
        }
        if (source.isIpv4Mapped() != destination.isIpv4Mapped()) {
            throw refused(operation, destination, "is an " + family(destination) + " address but the source " + source
                    + " is an " + family(source) + " address: choose the sgidIndex of a GID of the same family");
        }
    }

    private static String family(Gid gid) {
        return gid.isIpv4Mapped() ? "IPv4" : "IPv6";
    }

    private static VerbsException refused(String operation, Gid destination, String why) {
        return new VerbsException(operation, Errno.EINVAL, "destination " + destination + " " + why);
    }
}
