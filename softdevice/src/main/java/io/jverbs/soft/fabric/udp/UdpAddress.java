package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.udp.socket.NioSockets;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts GIDs to addresses of UDP sockets, and determines whether this machine can use them. */
public final class UdpAddress {
    private static final Logger LOG = LoggerFactory.getLogger(UdpAddress.class);

    private UdpAddress() {}

    /**
     * {@return whether a socket can be bound to an address, at any port}
     *
     * @param gid the address
     * @param device the network interface that has the address
     */
    public static boolean isUsable(Gid gid, NetworkInterface device) {
        try {
            DatagramChannel channel = NioSockets.channel(gid.toInetAddress());
            try (channel) {
                channel.bind(new InetSocketAddress(address(gid, device), 0));
                // twice, in case an Error ends the first attempt
                channel.close();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * {@return whether this JVM supports sockets for the family of an address}
     *
     * @param gid the address
     */
    public static boolean hasFamily(Gid gid) {
        try {
            DatagramChannel channel = NioSockets.channel(gid.toInetAddress());
            try (channel) {
                // twice, in case an Error ends the first attempt
                channel.close();
            }
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (IOException e) {
            LOG.debug("Could not open a socket for address {}", gid, e);
        }
        return true;
    }

    /** Returns an address as sockets take it: with the interface if several interfaces can have the address. */
    static InetAddress address(Gid gid, NetworkInterface device) {
        InetAddress plain = gid.toInetAddress();
        boolean isScoped = gid.isLinkLocal() || !gid.isIpv4Mapped() && plain.isMulticastAddress();
        if (device == null || !isScoped) {
            return plain;
        }
        try {
            return Inet6Address.getByAddress(null, gid.toBytes(), device.getIndex());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("16 bytes were not accepted as an IPv6 address", impossible);
        }
    }

    /**
     * {@return the text of an address (RFC 5952), with the interface if it is link-local}
     *
     * @param gid the address
     * @param device the network interface that has the address, or null
     */
    public static String name(Gid gid, NetworkInterface device) {
        if (gid.isIpv4Mapped()) {
            return gid.toInetAddress().getHostAddress();
        }
        return device != null && gid.isLinkLocal() ? gid + "%" + device.getName() : gid.toString();
    }
}
