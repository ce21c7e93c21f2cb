package io.jverbs.soft.management;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.spi.CmParameters;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The multicast groups that a CM ID has joined, one as often as it has joined it. Guarded by the lock of the agent. */
final class CmMemberships {
    /** The number by which a group is addressed. */
    private static final int MULTICAST_QPN = 0xFF_FFFF;
    /** What an event says of a group. */
    static final CmParameters PARAMETERS = new CmParameters(new byte[0], 0, 0, false, 0, 0, false, MULTICAST_QPN,
            DatagramService.QKEY);

    private final List<InetSocketAddress> groups = new ArrayList<>();

    /** Joins a group; returns the path to it. */
    AhAttributes join(InetSocketAddress group, CmPort port, Gid own) {
        if (!group.getAddress().isMulticastAddress()) {
            throw new VerbsException("join_multicast", Errno.EINVAL, group.getAddress().getHostAddress()
                    + " is not a multicast address; allowed are 224.0.0.0/4 and ff00::/8");
        }
        AhAttributes path = NegotiatedAttributes.destination(port, new CmPath(own, Gid.ofAddress(group.getAddress())),
                0, 0);
        groups.add(group);
        return path;
    }

    /** Leaves a group; returns its GID. */
    Gid leave(InetSocketAddress group) {
        if (!groups.remove(group)) {
            throw new VerbsException("leave_multicast", Errno.EADDRNOTAVAIL, "the ID has not joined " + group);
        }
        return Gid.ofAddress(group.getAddress());
    }
}
