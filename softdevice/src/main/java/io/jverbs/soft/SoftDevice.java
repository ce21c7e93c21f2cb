package io.jverbs.soft;

import io.jverbs.AsyncEventType;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.soft.capture.Captures;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.UdpWire;
import io.jverbs.soft.fabric.WayOut;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.memory.KeyNumbers;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.simulation.Outlet;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Tap;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/** A software device on the in-JVM network: one port, tables of queue pairs and keys that all its contexts share. */
final class SoftDevice implements ProviderDevice {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final long IPV4_LINK_LOCAL = 0xFFFFL << 32 | 0xA9FE_0001L;

    private final String name;
    private final byte[] mac;
    private final LocalNetwork network;
    private final DirectTable<SoftQp> queuePairs = new DirectTable<>();
    private final SoftPort port;
    private final Regions regions;
    private final QpNumbers qpNumbers;
    private final DeviceAttributes attributes;
    private final Usage usage = new Usage();
    private final List<SoftContext> contexts = new CopyOnWriteArrayList<>();
    private final SoftControl control = new SoftControl(this);
    private final Captures captures;
    private final WayOut wire;
    private final Numbering numbering;
    private volatile boolean removed;

    /**
     * @param index the number in its name, 0 to 255
     * @param network the network it is on
     * @param random draws keys and the first queue pair number
     */
    SoftDevice(int index, LocalNetwork network, RandomGenerator random) {
        this("soft" + index, Gid.of(0, IPV4_LINK_LOCAL + index), network, random, null, Numbering.ORDINARY);
    }

    /**
     * @param wire the way to other JVMs
     * @param mtu the greatest path MTU that the network carries
     * @param network the network within the JVM
     * @param random draws keys and the first queue pair number
     */
    SoftDevice(UdpWire wire, Mtu mtu, LocalNetwork network, RandomGenerator random) {
        this(wire.name(), wire.gid(), network, random, wire, Numbering.ORDINARY);
        port.activeMtu(mtu);
        wire.serve(port);
    }

    /**
     * @param outlet the way to a simulated network, which says everything else
     */
    SoftDevice(Outlet outlet) {
        this(outlet.name(), outlet.gid(), outlet.simulation().network(), outlet.random(), outlet,
                outlet.simulation().isRepeatable() ? Numbering.of(outlet.random()) : Numbering.ORDINARY);
        port.activeMtu(outlet.mtu());
        outlet.serve(port);
    }

    private SoftDevice(String name, Gid address, LocalNetwork network, RandomGenerator random, WayOut wire,
            Numbering numbering) {
        this.name = name;
        this.numbering = numbering;
        this.network = network;
        this.wire = wire;
        this.mac = mac(address);
        this.port = new SoftPort(name, network, queuePairs);
        this.captures = new Captures(name, network.timers(), this::tap);
        this.regions = new Regions(new KeyNumbers(random), Limits.MAX_MR, Limits.MAX_MW);
        this.qpNumbers = new QpNumbers(random);
        this.attributes = Limits.attributes(nodeGuid());
        try {
            if (!UdpWire.isLinkLocal(address)) {
                // such an address is the default GID itself: one more of its kind would be taken for it
                port.addGid(Gid.ofMac(mac));
            }
            port.addGid(address);
        } catch (VerbsException e) {
            port.remove();
            throw e;
        }
    }

    /** A locally administered address: 0 and that of IPv4, or an odd byte and four drawn from that of IPv6. */
    private static byte[] mac(Gid address) {
        long tail = address.low() & 0xFFFF_FFFFL;
        if (!address.isIpv4Mapped()) {
            long mixed = (address.high() * MIX ^ address.low()) * MIX;
            tail = 1L << 32 | (mixed ^ mixed >>> 32) >>> 24;
        }
        return new byte[] {2, (byte) (tail >>> 32), (byte) (tail >>> 24), (byte) (tail >>> 16), (byte) (tail >>> 8),
            (byte) tail};
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long nodeGuid() {
        return Gid.ofMac(mac).low();
    }

    @Override
    public ContextOps open() {
        checkPresent("open_device");
        // first, as it may be refused: then there is no context
        captures.startByProperty();
        if (wire != null) {
            wire.opened();
        }
        SoftContext context = new SoftContext(this);
        contexts.add(context);
        if (removed) {
            context.deviceRemoved();
        }
        return context;
    }

    @Override
    public long nanoTime() {
        return network.timers().nanoTime();
    }

    @Override
    public void alarm(long nanos) {
        if (wire instanceof Outlet outlet && outlet.simulation().isRepeatable()) {
            network.timers().set(nanos, () -> {});
        }
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        if (type == PacketCapture.class) {
            return Optional.of(type.cast(captures));
        }
        if (type == SimulatedNetwork.class) {
            return wire instanceof Outlet outlet ? Optional.of(type.cast(outlet.simulation())) : Optional.empty();
        }
        boolean known = type == PortControl.class || type == DeviceRemoval.class || type == DeviceCounters.class
                || type == PacketLoss.class;
        return known ? Optional.of(type.cast(control)) : Optional.empty();
    }

    /** Says who looks at packets from now on; null for nobody. */
    private void tap(Tap tap) {
        port.tap(tap);
        if (wire != null) {
            wire.tap(tap);
        }
    }

    void closed(SoftContext context) {
        if (contexts.remove(context) && wire != null) {
            wire.contextClosed();
        }
    }

    void checkPresent(String operation) {
        if (removed) {
            throw new VerbsException(operation, Errno.EIO, "device " + name + " was removed");
        }
    }

    boolean isRemoved() {
        return removed;
    }

    /** Takes the device away: traffic ends, queue pairs flush, every context hears of it. */
    void remove() {
        synchronized (this) {
            if (!removed) {
                // off the network first: once removed is seen, a new device may take the addresses
                port.remove();
                removed = true;
                if (wire != null) {
                    wire.close();
                }
            }
        }
        contexts.forEach(SoftContext::deviceRemoved);
        // after its queue pairs have failed, which has what is kept written
        captures.deviceRemoved();
    }

    /** The simulated network that it was on has ended with the last context: nothing comes any more. */
    void networkEnded() {
        captures.networkEnded();
    }

    /** Tells every context of an event of the port. */
    void raisePortEvent(AsyncEventType type) {
        contexts.forEach(context -> context.raiseOfPort(type, SoftPort.NUMBER));
    }

    LocalNetwork network() {
        return network;
    }

    /** Receives what other JVMs send to a group. */
    void join(Gid group) {
        if (wire != null) {
            try {
                wire.join(group);
            } catch (IOException e) {
                throw new VerbsException("attach_mcast", Errno.EINVAL,
                        "the system does not let " + name + " join " + group + ": " + e.getMessage());
            }
        }
    }

    void leave(Gid group) {
        if (wire != null) {
            try {
                wire.leave(group);
            } catch (IOException e) {
                throw new VerbsException("detach_mcast", Errno.EINVAL,
                        "leaving " + group + ": " + e.getMessage());
            }
        }
    }

    /** The way to other JVMs, or to a simulated network; null if there is none. */
    WayOut wire() {
        return wire;
    }

    Numbering numbering() {
        return numbering;
    }

    SoftPort port() {
        return port;
    }

    Regions regions() {
        return regions;
    }

    DirectTable<SoftQp> queuePairs() {
        return queuePairs;
    }

    QpNumbers qpNumbers() {
        return qpNumbers;
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    /** How many objects of each kind there are. */
    Map<String, Long> resources() {
        Map<String, Long> all = usage.counts();
        all.put("mr", (long) regions.size());
        all.put("ctx", (long) contexts.size());
        return all;
    }

    Usage usage() {
        return usage;
    }

    @Override
    public String toString() {
        return name;
    }
}
