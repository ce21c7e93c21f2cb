package io.jverbs.rsocket.datagram;

import io.jverbs.CompletionChannel;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.GidType;
import io.jverbs.LinkLayer;
import io.jverbs.PortAttributes;
import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import io.jverbs.TransportType;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEventChannel;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;

/**
 * What the queue pairs of a socket share: the protection domain, which no other socket has, and the channels. Thread-
 * safe.
 */
final class DatagramDevice {
    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CmEventChannel events;
    private final int mtu;

    DatagramDevice(RdmaContext context) {
        this.context = context;
        int ports = context.queryDevice().portCount();
        if (context.queryDevice().transportType() == TransportType.IWARP) {
            throw new VerbsException("rsocket", Errno.EOPNOTSUPP,
                    "datagrams need UD queue pairs, which iWARP does not have: use a device with another transport");
        }
        int smallest = DatagramMemory.MESSAGE;
        for (int port = 1; port <= ports; port++) {
            PortAttributes attributes = context.queryPort(port);
            if (attributes.linkLayer() != LinkLayer.ETHERNET) {
                throw new VerbsException("rsocket", Errno.EOPNOTSUPP, "port " + port + " of " + context.device()
                        + " has link layer " + attributes.linkLayer()
                        + ", but datagrams need Ethernet: the connection manager does not tell the LIDs of a route");
            }
            smallest = Math.min(smallest, attributes.activeMtu().bytes());
        }
        mtu = smallest;
        ProtectionDomain madePd = null;
        CompletionChannel madeChannel = null;
        CmEventChannel madeEvents = null;
        try {
            madePd = context.allocatePd();
            madeChannel = context.createCompletionChannel();
            madeEvents = CmEventChannel.create(context);
        } finally {
            if (madeEvents == null) {
                close(madePd, madeChannel);
            }
        }
        pd = madePd;
        channel = madeChannel;
        events = madeEvents;
    }

    RdmaContext context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    CompletionChannel channel() {
        return channel;
    }

    CmEventChannel events() {
        return events;
    }

    /** Returns the maximum number of bytes of a message with its header. */
    int mtu() {
        return mtu;
    }

    /** Returns the index of a GID, that of the RoCEv2 entry if there are several. */
    int gidIndex(int port, Gid gid) {
        return context.queryGidTable().stream().filter(entry -> entry.port() == port && entry.gid().equals(gid))
                .max(Comparator.comparing(entry -> entry.type() == GidType.ROCE_V2)).map(GidEntry::index)
                .orElseThrow(() -> new VerbsException("rsocket", Errno.EADDRNOTAVAIL,
                        "port " + port + " of " + context.device() + " has no GID " + gid));
    }

    /**
     * Returns the address to bind to: in place of a wildcard address, the only one of the device if it has one. The
     * kernel sends from another one of the host, if that reaches the peer too.
     */
    InetSocketAddress localAddress(InetSocketAddress wanted) {
        List<Gid> gids = context.queryGidTable().stream().map(GidEntry::gid).filter(gid -> !gid.isLinkLocal())
                .distinct().toList();
        return wanted.getAddress().isAnyLocalAddress() && gids.size() == 1
                ? new InetSocketAddress(gids.getFirst().toInetAddress(), wanted.getPort())
                : wanted;
    }

    /** Closes the objects, if their context has not. After a failure, the next call does what is left. */
    void close() {
        events.close();
        close(pd, channel);
    }

    private static void close(ProtectionDomain pd, CompletionChannel channel) {
        if (channel != null) {
            channel.close();
        }
        if (pd != null) {
            pd.close();
        }
    }
}
