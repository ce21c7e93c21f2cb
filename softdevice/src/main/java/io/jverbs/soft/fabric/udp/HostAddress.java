package io.jverbs.soft.fabric.udp;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.FabricType;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The IP address of a device, and its zone (RFC 4007), which is a network interface. A link-local IPv6 address, which
 * several interfaces can have, always has a zone.
 *
 * @param gid the address as a GID
 * @param zone the interface that must have the address, or null for any
 */
record HostAddress(Gid gid, NetworkInterface zone) {
    private static final String OPERATION = "open_device";
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Gid LOOPBACK = Gid.parse("127.0.0.1");
    private static final long LOOPBACK_NET = 127;

    /**
     * Returns whether the target of a selector is an IPv4 or IPv6 address. {@link io.jverbs.spi.DeviceSelector} has
     * checked the form of an IPv6 address.
     */
    static boolean isAddress(String target) {
        return IPV4.matcher(target).matches() || target.indexOf(':') >= 0;
    }

    /**
     * Parses an address.
     *
     * @param target an IPv4 address in dotted decimal notation, or an IPv6 address with or without a zone
     * @throws IllegalArgumentException if the target is an IPv4-mapped IPv6 address
     * @throws VerbsException with EAFNOSUPPORT if this JVM has no sockets of the address family; with ENODEV if the
     *         zone is not an interface of this machine; with EADDRNOTAVAIL if the zone, or for a link-local address
     *         without a zone every interface, does not have the address; with EINVAL if several interfaces have a
     *         link-local address without a zone; with EIO if the interfaces cannot be listed
     */
    static HostAddress parse(String target) {
        int percent = target.indexOf('%');
        Gid gid = Gid.parse(percent < 0 ? target : target.substring(0, percent));
        if (gid.isIpv4Mapped() && target.indexOf(':') >= 0) {
            String ipv4 = gid.toInetAddress().getHostAddress();
            throw new IllegalArgumentException(
                    "target \"" + target + "\" is the IPv4 address " + ipv4 + ": use soft:" + ipv4);
        }
        if (!UdpAddress.hasFamily(gid)) {
            throw failure(Errno.EAFNOSUPPORT, "this JVM has no sockets for address " + target
                    + ": start it without -Djava.net.preferIPv4Stack=true, or use an IPv4 address");
        }
        try {
            return new HostAddress(gid, percent < 0 ? onlyZone(gid) : zone(gid, target.substring(percent + 1)));
        } catch (SocketException e) {
            throw failure(Errno.EIO, "the network interfaces of this machine cannot be listed: " + e.getMessage());
        }
    }

    private static VerbsException failure(Errno error, String what) {
        return new VerbsException(OPERATION, error, what + FabricType.SEE);
    }

    private static NetworkInterface zone(Gid gid, String name) throws SocketException {
        List<NetworkInterface> all = NetworkInterface.networkInterfaces().toList();
        NetworkInterface zone = all.stream()
                .filter(each -> each.getName().equals(name) || Integer.toString(each.getIndex()).equals(name))
                .findFirst()
                .orElseThrow(() -> failure(Errno.ENODEV,
                        "address " + gid + "%" + name + ": this machine has no interface " + name
                                + "; its interfaces are " + all.stream().map(NetworkInterface::getName).toList()));
        if (!has(zone, gid)) {
            throw absent(gid + "%" + name, gid);
        }
        return zone;
    }

    /** Returns the interface that has a link-local address; null if the address is not link-local. */
    private static NetworkInterface onlyZone(Gid gid) throws SocketException {
        if (!gid.isLinkLocal()) {
            return null;
        }
        List<NetworkInterface> zones = NetworkInterface.networkInterfaces().filter(each -> has(each, gid)).toList();
        if (zones.isEmpty()) {
            throw absent(gid.toString(), gid);
        }
        if (zones.size() > 1) {
            throw failure(Errno.EINVAL, "several interfaces have the address " + gid + ": select one of "
                    + zones.stream().map(each -> "soft:[" + UdpAddress.name(gid, each) + "]").toList());
        }
        return zones.getFirst();
    }

    private static VerbsException absent(String name, Gid gid) throws SocketException {
        List<String> present = NetworkInterface.networkInterfaces()
                .flatMap(device -> device.inetAddresses().map(Gid::ofAddress)
                        .filter(each -> each.isIpv4Mapped() == gid.isIpv4Mapped())
                        .map(each -> UdpAddress.name(each, device)))
                .sorted().toList();
        return failure(Errno.EADDRNOTAVAIL, name + " is not an address of this machine; its "
                + (gid.isIpv4Mapped() ? "IPv4" : "IPv6") + " addresses are " + present);
    }

    private static boolean has(NetworkInterface device, Gid gid) {
        return device.inetAddresses().anyMatch(each -> Gid.ofAddress(each).equals(gid));
    }

    /** Returns the canonical name of the address, which does not depend on how the selector spelled it. */
    String name() {
        return UdpAddress.name(gid, zone);
    }

    /**
     * {@return the interface that has the address}
     *
     * @throws VerbsException with EADDRNOTAVAIL if no interface has it
     */
    NetworkInterface device() throws SocketException {
        if (zone != null) {
            return zone;
        }
        boolean loopback = gid.isIpv4Mapped() && (gid.low() >>> 24 & 0xFF) == LOOPBACK_NET;
        // every address in 127.0.0.0/8 belongs to the loopback interface
        Optional<NetworkInterface> device = NetworkInterface.networkInterfaces()
                .filter(each -> has(each, gid) || loopback && has(each, LOOPBACK)).findFirst();
        if (device.isEmpty()) {
            throw absent(name(), gid);
        }
        return device.get();
    }
}
