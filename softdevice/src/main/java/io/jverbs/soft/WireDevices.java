package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.UdpWire;
import java.io.IOException;
import java.net.BindException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.stream.Stream;

/** Makes software devices that are bound to an IP address and reach other JVMs, hosts and RoCEv2 cards from there. */
final class WireDevices {
    private static final String OPERATION = "open_device";
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    /** UDP, BTH, the longest extension headers, ICRC. */
    private static final int HEADERS = 8 + 12 + 28 + 4;
    private static final Path KERNEL_DEVICES = Path.of("/sys/class/infiniband");

    private WireDevices() {}

    /**
     * Makes a device.
     *
     * @param address a local address
     * @param network the network within the JVM
     */
    static SoftDevice open(WireAddress address, LocalNetwork network) {
        String name = address.name();
        try {
            NetworkInterface local = address.device();
            UdpWire wire = UdpWire.open(address.gid(), local, network);
            SoftDevice device = null;
            try {
                device = new SoftDevice(wire, mtu(local.getMTU(), address.gid()), network, new SecureRandom());
                wire.engine().start();
                return device;
            } catch (IOException | RuntimeException | Error e) {
                if (device == null) {
                    wire.close();
                } else {
                    // its addresses are free again
                    device.remove();
                }
                throw e;
            }
        } catch (BindException e) {
            throw UdpWire.isUsable(address.gid(), address.zone()) ? inUse(name, e) : notReady(name, e);
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    static VerbsException refused(String name, IOException cause) {
        return failure(Errno.EACCES, "the system gives no UDP socket at " + name + " (" + cause.getMessage()
                + "): let this process have one, which a sandbox, a security module or a limit on open files may forbid,"
                + " or use soft without an address", cause);
    }

    /**
     * The greatest path MTU whose packets fit.
     *
     * @param room the MTU of the interface
     * @param address whose family says how long the IP header is
     */
    static Mtu mtu(int room, Gid address) {
        int headers = HEADERS + (address.isIpv4Mapped() ? IPV4_HEADER : IPV6_HEADER);
        Mtu best = Mtu.MTU_256;
        for (Mtu mtu : Mtu.values()) {
            if (mtu != Mtu.UNKNOWN && mtu.bytes() + headers <= room && mtu.bytes() > best.bytes()) {
                best = mtu;
            }
        }
        return best;
    }

    private static VerbsException inUse(String text, BindException cause) {
        String who = kernelHasDevice()
                ? "probably by the kernel's rdma_rxe: use native:rxe0, or remove it with \"rdma link delete\""
                : "probably by the software device of another process: use another address, or end that process";
        return failure(Errno.EADDRINUSE, "UDP port " + UdpWire.UDP_PORT + " of " + text + " is in use, " + who, cause);
    }

    /** IPv6 looks for a second or two whether others have a new address, before it may be used. */
    private static VerbsException notReady(String text, BindException cause) {
        return failure(Errno.EADDRNOTAVAIL, "the system does not let " + text
                + " be used, perhaps not yet: try again once \"ip address\" shows it without \"tentative\"", cause);
    }

    private static boolean kernelHasDevice() {
        try (Stream<Path> names = Files.list(KERNEL_DEVICES)) {
            return names.anyMatch(name -> name.getFileName().toString().startsWith("rxe"));
        } catch (IOException e) {
            return false;
        }
    }

    private static VerbsException failure(Errno error, String what, Exception cause) {
        VerbsException failure = new VerbsException(OPERATION, error, what);
        failure.initCause(cause);
        return failure;
    }
}
