package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.UdpWire;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes software devices that are bound to an IPv4 address and reach other JVMs, hosts and RoCEv2 cards from there. */
final class WireDevices {
    private static final String OPERATION = "open_device";
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
    private static final Pattern ADDRESS = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    /** IP, UDP, BTH, the longest extension headers, ICRC. */
    private static final int HEADERS = 20 + 8 + 12 + 28 + 4;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final Path KERNEL_DEVICES = Path.of("/sys/class/infiniband");

    private WireDevices() {}

    static boolean isAddress(String text) {
        return ADDRESS.matcher(text).matches();
    }

    /**
     * Makes a device.
     *
     * @param text an IPv4 address
     * @param network the network within the JVM
     */
    static SoftDevice open(String text, LocalNetwork network) {
        Inet4Address address = parse(text);
        try {
            NetworkInterface local = NetworkInterface.getByInetAddress(address);
            if (local == null && address.isLoopbackAddress()) {
                // all of 127.0.0.0/8 is this machine's
                local = NetworkInterface.getByInetAddress(InetAddress.getByAddress(LOOPBACK));
            }
            if (local == null) {
                throw new VerbsException(OPERATION, Errno.EADDRNOTAVAIL, text
                        + " is no address of this machine; its addresses are " + addresses());
            }
            UdpWire wire = UdpWire.open(address, local, network);
            SoftDevice device = new SoftDevice(wire, mtu(local), network, new SecureRandom());
            wire.engine().start();
            return device;
        } catch (BindException e) {
            throw inUse(text, e);
        } catch (IOException e) {
            throw refused(text, e);
        }
    }

    private static Inet4Address parse(String text) {
        String[] parts = text.split("\\.");
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        try {
            return (Inet4Address) Inet4Address.getByAddress(bytes);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static String addresses() throws SocketException {
        return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance).map(found -> found.getHostAddress()).sorted().toList()
                .toString();
    }

    /** The greatest path MTU whose packets fit. */
    private static Mtu mtu(NetworkInterface local) throws SocketException {
        int room = local.getMTU();
        Mtu best = Mtu.MTU_256;
        for (Mtu mtu : Mtu.values()) {
            if (mtu != Mtu.UNKNOWN && mtu.bytes() + HEADERS <= room && mtu.bytes() > best.bytes()) {
                best = mtu;
            }
        }
        return best;
    }

    private static VerbsException inUse(String text, BindException cause) {
        String who = kernelHasDevice()
                ? "probably by the kernel's rdma_rxe: use native:rxe0, or remove it with \"rdma link delete\""
                : "probably by the software device of another process: use another address, or end that process";
        VerbsException failure = new VerbsException(OPERATION, Errno.EADDRINUSE,
                "UDP port " + UdpWire.UDP_PORT + " of " + text + " is in use, " + who);
        failure.initCause(cause);
        return failure;
    }

    private static boolean kernelHasDevice() {
        try (Stream<Path> names = Files.list(KERNEL_DEVICES)) {
            return names.anyMatch(name -> name.getFileName().toString().startsWith("rxe"));
        } catch (IOException e) {
            return false;
        }
    }

    private static VerbsException refused(String text, IOException cause) {
        VerbsException failure = new VerbsException(OPERATION, Errno.EACCES,
                "the system gives no UDP socket at " + text + ": " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }
}
