package io.jverbs.soft.fabric.udp;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.FabricType;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.spi.DeviceSelector;
import java.io.IOException;
import java.net.NetworkInterface;
import java.util.Map;

/**
 * The fabrics of devices that are bound to an IP address of this machine. They reach other JVMs, other hosts and RoCEv2
 * hardware. The canonical text of the address is the device's name.
 */
public final class UdpFabricType implements FabricType {
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    /** The lengths of the UDP header, the BTH, the longest extension headers and the ICRC. */
    private static final int HEADERS = 8 + 12 + 28 + 4;

    private static final String FABRIC = "fabric";
    private static final String WIRE = "wire";

    private final LocalNetwork network;

    /** @param network the network within the JVM, which devices use unless they are selected with fabric=wire */
    public UdpFabricType(LocalNetwork network) {
        this.network = network;
    }

    @Override
    public String grammar() {
        return "soft:A.B.C.D[?fabric=wire] or soft:[A:B::C][?fabric=wire], a device at an IPv4 or IPv6 address of this"
                + " machine, which also takes congestion=" + CongestionControlType.words("|");
    }

    @Override
    public boolean accepts(String target) {
        return HostAddress.isAddress(target);
    }

    /** {@inheritDoc} With fabric=wire, a device reaches even the devices of this JVM over UDP only. */
    @Override
    public ResolvedDevice resolve(DeviceSelector selector) {
        for (Map.Entry<String, String> option : selector.options().entrySet()) {
            boolean allowed = switch (option.getKey()) {
                case FABRIC -> option.getValue().equals(WIRE);
                case CongestionControlType.OPTION -> CongestionControlType.of(option.getValue()) != null;
                default -> throw new IllegalArgumentException(
                        selector.refusal("unknown option \"" + option.getKey() + "\"", grammar()));
            };
            if (!allowed) {
                throw new IllegalArgumentException(selector.refusal("option \"" + option.getKey() + "\" is \""
                        + option.getValue() + "\", allowed is "
                        + (option.getKey().equals(FABRIC) ? WIRE : CongestionControlType.words(" or ")), grammar()));
            }
        }
        String congestion = selector.options().get(CongestionControlType.OPTION);
        return new Resolved(selector.provider(), address(selector), selector.options().containsKey(FABRIC),
                congestion == null ? null : CongestionControlType.of(congestion), network);
    }

    private HostAddress address(DeviceSelector selector) {
        try {
            return HostAddress.parse(selector.target());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(selector.refusal(e.getMessage(), grammar()), e);
        }
    }

    /**
     * A device at an address.
     *
     * @param provider the provider in the selector
     * @param address the address
     * @param wireOnly whether the device reaches the devices of this JVM over UDP, too
     * @param congestionControl the congestion control of each path; null for that of the system property
     * @param network the network of the devices that reach each other within the JVM
     */
    private record Resolved(String provider, HostAddress address, boolean wireOnly,
            CongestionControlType congestionControl, LocalNetwork network)
            implements
                ResolvedDevice {

        @Override
        public Key key() {
            return new Key(address.name(), 0);
        }

        @Override
        public Fabric open() {
            try {
                NetworkInterface local = address.device();
                return UdpFabric.open(address.gid(), local, mtu(local.getMTU(), address.gid()),
                        wireOnly ? new LocalNetwork(network.timers()) : network,
                        congestionControl == null ? CongestionControlType.ofProperty() : congestionControl);
            } catch (IOException e) {
                throw OpenFailure.of(address.name(), address.gid(), address.zone(), e);
            }
        }

        @Override
        public void check(Fabric present) {
            if (wireOnly == (present.network() == network)) {
                throw new VerbsException("open_device", Errno.EBUSY,
                        "device " + new DeviceSelector(provider, address.name(), Map.of())
                                + " already exists in this JVM " + (wireOnly ? "without" : "with")
                                + " ?fabric=wire: use the same selector, or another address" + SEE);
            }
            CongestionControlType used = ((UdpFabric) present).congestionControl();
            if (congestionControl != null && congestionControl != used) {
                throw new VerbsException("open_device", Errno.EBUSY,
                        "device " + new DeviceSelector(provider, address.name(), Map.of())
                                + " already exists in this JVM with congestion=" + used.word()
                                + ": use the same selector, or another address" + SEE);
            }
        }
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
}
