package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.UdpWire;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of a device, and the zone given with it. Of a link-local IPv6 address, which every interface may have, the zone is
 * always known.
 *
 * @param gid the address as a GID
 * @param zone the interface that must have it, or null if any will do
 */
record WireAddress(Gid gid, NetworkInterface zone) {
    private static final String OPERATION = "open_device";
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Gid LOOPBACK = Gid.parse("127.0.0.1");
    private static final long LOOPBACK_NET = 127;

    /** Whether a selector's target has the form of an address: that of IPv6 is checked already. */
    static boolean isAddress(String target) {
        return IPV4.matcher(target).matches() || target.indexOf(':') >= 0;
    }

    /**
     * Reads an address.
     *
     * @param target four decimal numbers, or an IPv6 address with or without a zone
     * @throws IllegalArgumentException if it is an IPv4 address in the form of IPv6
     * @throws VerbsException if this JVM has no addresses of its family, the zone is no interface of this machine or does not have
     *             the address, or a zone is needed and there are several
     */
    static WireAddress parse(String target) {
        int percent = target.indexOf('%');
        Gid gid = Gid.parse(percent < 0 ? target : target.substring(0, percent));
        if (gid.isIpv4Mapped() && target.indexOf(':') >= 0) {
            String ipv4 = gid.toInetAddress().getHostAddress();
            throw new IllegalArgumentException(target + " is the IPv4 address " + ipv4 + ": use soft:" + ipv4);
        }
        if (!UdpWire.hasFamily(gid)) {
            throw new VerbsException(OPERATION, Errno.EAFNOSUPPORT, "this JVM has no sockets for " + target
                    + ": start it without -Djava.net.preferIPv4Stack=true, or use an IPv4 address");
        }
        try {
            return new WireAddress(gid, percent < 0 ? onlyZone(gid) : zone(gid, target.substring(percent + 1)));
        } catch (SocketException e) {
            throw new VerbsException(OPERATION, Errno.EIO, "the interfaces of this machine: " + e.getMessage());
        }
    }

    private static NetworkInterface zone(Gid gid, String name) throws SocketException {
        NetworkInterface zone = NetworkInterface.networkInterfaces()
                .filter(each -> each.getName().equals(name) || Integer.toString(each.getIndex()).equals(name))
                .findFirst()
                .orElseThrow(() -> new VerbsException(OPERATION, Errno.ENODEV,
                        "this machine has no interface " + name + " for " + gid));
        if (!has(zone, gid)) {
            throw absent(gid + "%" + name, gid);
        }
        return zone;
    }

    /** The interface that has a link-local address. */
    private static NetworkInterface onlyZone(Gid gid) throws SocketException {
        if (!UdpWire.isLinkLocal(gid)) {
            return null;
        }
        List<NetworkInterface> zones = NetworkInterface.networkInterfaces().filter(each -> has(each, gid)).toList();
        if (zones.isEmpty()) {
            throw absent(gid.toString(), gid);
        }
        if (zones.size() > 1) {
            throw new VerbsException(OPERATION, Errno.EINVAL, gid
                    + " is an address of several interfaces: say which, as in soft:["
                    + UdpWire.name(gid, zones.getFirst()) + "]");
        }
        return zones.getFirst();
    }

    private static VerbsException absent(String name, Gid gid) throws SocketException {
        List<String> present = NetworkInterface.networkInterfaces()
                .flatMap(device -> device.inetAddresses().map(Gid::ofAddress)
                        .filter(each -> each.isIpv4Mapped() == gid.isIpv4Mapped())
                        .map(each -> UdpWire.name(each, device)))
                .sorted().toList();
        return new VerbsException(OPERATION, Errno.EADDRNOTAVAIL,
                name + " is no address of this machine; its addresses are "
                        + present);
    }

    private static boolean has(NetworkInterface device, Gid gid) {
        return device.inetAddresses().anyMatch(each -> Gid.ofAddress(each).equals(gid));
    }

    /** The one name of this address, however it was written. */
    String name() {
        return UdpWire.name(gid, zone);
    }

    /**
     * {@return the interface that has the address}
     *
     * @throws VerbsException if none has
     */
    NetworkInterface device() throws SocketException {
        if (zone != null) {
            return zone;
        }
        boolean loopback = gid.isIpv4Mapped() && (gid.low() >>> 24 & 0xFF) == LOOPBACK_NET;
        // all of 127.0.0.0/8 is this machine's
        Optional<NetworkInterface> device = NetworkInterface.networkInterfaces()
                .filter(each -> has(each, gid) || loopback && has(each, LOOPBACK)).findFirst();
        if (device.isEmpty()) {
            throw absent(name(), gid);
        }
        return device.get();
    }
}
