package io.jverbs.soft.management;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.spi.CmParameters;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/** The memberships of a CM ID in multicast groups, the latest first. Guarded by the lock of the agent. */
final class CmMemberships {
    /** The number by which a group is addressed. */
    private static final int MULTICAST_QPN = 0xFF_FFFF;
    /** What an event says of a group. */
    static final CmParameters PARAMETERS = new CmParameters(new byte[0], 0, 0, false, 0, 0, false, MULTICAST_QPN,
            DatagramService.QKEY);

    private final Deque<Membership> memberships = new ArrayDeque<>();

    /** A membership, and the context that was given when the group was joined. */
    private record Membership(InetSocketAddress group, Object context) {}

    /** Returns the path to a group; throws EINVAL if the address is not that of one. */
    static AhAttributes path(InetSocketAddress group, CmPort port, Gid own) {
        if (!group.getAddress().isMulticastAddress()) {
            throw new VerbsException("join_multicast", Errno.EINVAL, group.getAddress().getHostAddress()
                    + " is not a multicast address; allowed are 224.0.0.0/4 and ff00::/8");
        }
        return NegotiatedAttributes.destination(port, new CmPath(own, Gid.ofAddress(group.getAddress())), 0, 0);
    }

    void join(InetSocketAddress group, Object context) {
        memberships.addFirst(new Membership(group, context));
    }

    /** Ends the latest membership in a group, as librdmacm does; returns its context. */
    Object leave(InetSocketAddress group) {
        Membership left = memberships.stream().filter(each -> each.group.equals(group)).findFirst().orElseThrow(
                () -> new VerbsException("leave_multicast", Errno.EADDRNOTAVAIL, "the ID has not joined " + group));
        memberships.removeFirstOccurrence(left);
        return left.context;
    }
}
