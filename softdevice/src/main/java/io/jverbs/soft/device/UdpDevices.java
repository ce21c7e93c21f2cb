package io.jverbs.soft.device;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.udp.UdpAddress;
import io.jverbs.soft.fabric.udp.UdpFabric;
import io.jverbs.soft.wire.Roce;
import io.jverbs.spi.DeviceSelector;
import java.io.IOException;
import java.net.BindException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The devices that are bound to an IP address of this machine. They reach other JVMs, other hosts and RoCEv2 hardware.
 * Guarded by {@link #devices}.
 */
public final class UdpDevices implements DeviceSource {
    private static final String OPERATION = "open_device";
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    /** The lengths of the UDP header, the BTH, the longest extension headers and the ICRC. */
    private static final int HEADERS = 8 + 12 + 28 + 4;
    private static final Path KERNEL_DEVICES = Path.of("/sys/class/infiniband");

    private static final String FABRIC = "fabric";
    private static final String WIRE = "wire";

    private final LocalNetwork network;
    /** The devices by name, which is the address. */
    private final Map<String, SoftDevice> devices = new TreeMap<>();

    /** @param network the network within the JVM, which devices use unless they are selected with fabric=wire */
    public UdpDevices(LocalNetwork network) {
        this.network = network;
    }

    @Override
    public String grammar() {
        return "soft:A.B.C.D[?fabric=wire] or soft:[A:B::C][?fabric=wire], a device at an IPv4 or IPv6 address of this"
                + " machine";
    }

    @Override
    public boolean accepts(String target) {
        return HostAddress.isAddress(target);
    }

    @Override
    public List<SoftDevice> devices() {
        synchronized (devices) {
            devices.values().removeIf(SoftDevice::removed);
            return List.copyOf(devices.values());
        }
    }

    /** Returns the device at an address. With fabric=wire it reaches even the devices of this JVM over UDP only. */
    @Override
    public SoftDevice device(DeviceSelector selector) {
        for (Map.Entry<String, String> option : selector.options().entrySet()) {
            if (!option.getKey().equals(FABRIC)) {
                throw new IllegalArgumentException(
                        selector.refusal("unknown option \"" + option.getKey() + "\"", grammar()));
            }
            if (!option.getValue().equals(WIRE)) {
                throw new IllegalArgumentException(selector.refusal(
                        "option \"" + FABRIC + "\" is \"" + option.getValue() + "\", allowed is " + WIRE, grammar()));
            }
        }
        HostAddress address = address(selector);
        String name = address.name();
        synchronized (devices) {
            SoftDevice present = devices.get(name);
            boolean wireOnly = !selector.options().isEmpty();
            if (present == null || present.removed()) {
                present = open(address, wireOnly ? new LocalNetwork(network.timers()) : network);
                devices.put(name, present);
            } else if (wireOnly == (present.core().network() == network)) {
                throw new VerbsException(OPERATION, Errno.EBUSY,
                        "device " + new DeviceSelector(selector.provider(), name, Map.of())
                                + " already exists in this JVM " + (wireOnly ? "without" : "with")
                                + " ?fabric=wire: use the same selector, or another address" + SEE);
            }
            return present;
        }
    }

    private HostAddress address(DeviceSelector selector) {
        try {
            return HostAddress.parse(selector.target());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(selector.refusal(e.getMessage(), grammar()), e);
        }
    }

    /**
     * Creates a device and starts to receive packets for it.
     *
     * @param address a local address
     * @param network the network within the JVM
     * @throws VerbsException with EADDRINUSE, EADDRNOTAVAIL or EACCES if its UDP port cannot be bound
     */
    public static SoftDevice open(HostAddress address, LocalNetwork network) {
        String name = address.name();
        try {
            NetworkInterface local = address.device();
            UdpFabric wire = UdpFabric.open(address.gid(), local, mtu(local.getMTU(), address.gid()), network);
            SoftDevice device = null;
            try {
                device = new SoftDevice(wire);
                wire.engine().start();
                return device;
            } catch (IOException | RuntimeException | Error e) {
                if (device == null) {
                    wire.close();
                } else {
                    // also frees its addresses
                    device.remove();
                }
                throw e;
            }
        } catch (BindException e) {
            throw UdpAddress.isUsable(address.gid(), address.zone()) ? inUse(name, e) : notReady(name, e);
        } catch (IOException e) {
            throw refused(name, e);
        }
    }

    static VerbsException refused(String name, IOException cause) {
        return failure(Errno.EACCES, "UDP port " + Roce.UDP_PORT + " of " + name + " cannot be opened ("
                + cause.getMessage() + "): allow this process to open it, which a sandbox, a security module or the"
                + " limit on open files may forbid, or use soft without an address", cause);
    }

    /**
     * Returns the largest path MTU whose packets fit the MTU of an interface, at least 256.
     *
     * @param room the MTU of the interface in bytes
     * @param address the device's address, whose family determines the length of the IP header
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
        String user = kernelHasDevice()
                ? "the kernel's rdma_rxe driver: use native:rxe0, or remove that device with \"rdma link delete\""
                : "a software device of another process: use another address, or end that process";
        return failure(Errno.EADDRINUSE,
                "UDP port " + Roce.UDP_PORT + " of " + text + " is in use, probably by " + user, cause);
    }

    /**
     * An IPv6 address is tentative, and cannot be bound, during duplicate address detection (RFC 4862). That takes a
     * second or two.
     */
    private static VerbsException notReady(String text, BindException cause) {
        return failure(Errno.EADDRNOTAVAIL, "address " + text + " cannot be bound; it may still be tentative: try"
                + " again once \"ip address\" shows it without \"tentative\"", cause);
    }

    private static boolean kernelHasDevice() {
        try (Stream<Path> names = Files.list(KERNEL_DEVICES)) {
            return names.anyMatch(name -> name.getFileName().toString().startsWith("rxe"));
        } catch (IOException e) {
            return false;
        }
    }

    private static VerbsException failure(Errno error, String what, Exception cause) {
        VerbsException failure = new VerbsException(OPERATION, error, what + SEE);
        failure.initCause(cause);
        return failure;
    }
}
