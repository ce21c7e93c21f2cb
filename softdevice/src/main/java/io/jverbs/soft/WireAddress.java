package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.UdpWire;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
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
     * @throws VerbsException if the zone is not an interface of this machine, or is needed and there are several
     */
    static WireAddress parse(String target) {
        int percent = target.indexOf('%');
        Gid gid = Gid.parse(percent < 0 ? target : target.substring(0, percent));
        if (gid.isIpv4Mapped() && target.indexOf(':') >= 0) {
            String ipv4 = gid.toInetAddress().getHostAddress();
            throw new IllegalArgumentException(target + " is the IPv4 address " + ipv4 + ": use soft:" + ipv4);
        }
        try {
            if (percent >= 0) {
                return new WireAddress(gid, zone(target, target.substring(percent + 1)));
            }
            return new WireAddress(gid, gid.toInetAddress().isLinkLocalAddress() && !gid.isIpv4Mapped()
                    ? onlyZone(target, gid)
                    : null);
        } catch (SocketException e) {
            throw new VerbsException(OPERATION, Errno.EIO, "the interfaces of this machine: " + e.getMessage());
        }
    }

    private static NetworkInterface zone(String target, String zone) throws SocketException {
        return NetworkInterface.networkInterfaces()
                .filter(each -> each.getName().equals(zone) || Integer.toString(each.getIndex()).equals(zone))
                .findFirst()
                .orElseThrow(() -> new VerbsException(OPERATION, Errno.ENODEV,
                        "this machine has no interface " + zone + ", which " + target + " names"));
    }

    private static NetworkInterface onlyZone(String target, Gid gid) throws SocketException {
        List<NetworkInterface> zones = NetworkInterface.networkInterfaces().filter(each -> has(each, gid)).toList();
        if (zones.size() > 1) {
            throw new VerbsException(OPERATION, Errno.EINVAL,
                    target + " is an address of several interfaces: say which, as in soft:["
                            + target + "%" + zones.getFirst().getName() + "]");
        }
        return zones.isEmpty() ? null : zones.getFirst();
    }

    private static boolean has(NetworkInterface device, Gid gid) {
        return device.inetAddresses().anyMatch(each -> Gid.ofAddress(each).equals(gid));
    }

    /** The one name of this address, however it was written. */
    String name() {
        return UdpWire.name(gid, zone);
    }

    /** The interface that has the address, or null if none has. */
    NetworkInterface device() throws SocketException {
        if (zone != null) {
            return has(zone, gid) ? zone : null;
        }
        boolean loopback = gid.isIpv4Mapped() && (gid.low() >>> 24 & 0xFF) == LOOPBACK_NET;
        // all of 127.0.0.0/8 is this machine's
        return NetworkInterface.networkInterfaces().filter(each -> has(each, gid) || loopback && has(each, LOOPBACK))
                .findFirst().orElse(null);
    }

    /** What there is of the same family, as text. */
    String present() throws SocketException {
        List<String> all = NetworkInterface.networkInterfaces()
                .flatMap(device -> device.inetAddresses().map(Gid::ofAddress)
                        .filter(each -> each.isIpv4Mapped() == gid.isIpv4Mapped())
                        .map(each -> UdpWire.name(each, device)))
                .sorted().toList();
        return all.isEmpty() ? "it has none of " + (gid.isIpv4Mapped() ? "IPv4" : "IPv6") : "its addresses are " + all;
    }
}
