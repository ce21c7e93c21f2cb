package io.jverbs.soft.device;

import io.jverbs.AsyncEventType;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.soft.capture.Captures;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.NumberSource;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.memory.KeyNumbers;
import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A software device: one port, and the tables of queue pairs and keys that all its contexts share. Its {@link Fabric}
 * says how it reaches its peers. Thread-safe.
 */
public final class SoftDevice implements ProviderDevice {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final String name;
    private final byte[] mac;
    private final LocalNetwork network;
    private final DirectTable<SoftQp> queuePairs = new DirectTable<>();
    private final SoftPort port;
    private final KeyTable keyTable;
    private final QpNumbers qpNumbers;
    private final DeviceAttributes attributes;
    private final Usage usage = new Usage();
    private final List<SoftContext> contexts = new CopyOnWriteArrayList<>();
    private final SoftControl control = new SoftControl(this);
    private final Captures captures;
    private final Fabric fabric;
    private final NumberSource numbers;
    private volatile boolean removed;

    /**
     * Creates a device that uses a fabric, and gives the fabric its port.
     *
     * @param fabric the fabric
     * @throws VerbsException with EINVAL if a device on the same network has this address already
     */
    public SoftDevice(Fabric fabric) {
        this.fabric = fabric;
        this.name = fabric.name();
        this.network = fabric.network();
        this.numbers = fabric.numbers();
        Gid address = fabric.gid();
        this.mac = mac(address);
        this.port = new SoftPort(name, network, queuePairs);
        this.captures = new Captures(name, network.timers(), this::tap);
        this.keyTable = new KeyTable(new KeyNumbers(fabric.random()), Limits.MAX_MR, Limits.MAX_MW);
        this.qpNumbers = new QpNumbers(fabric.random());
        this.attributes = Limits.attributes(nodeGuid());
        try {
            if (!address.isLinkLocal()) {
                // a link-local address is the default GID itself; a second one could be mistaken for it
                port.addGid(Gid.ofMac(mac));
            }
            port.addGid(address);
        } catch (VerbsException e) {
            port.remove();
            throw e;
        }
        port.activeMtu(fabric.mtu());
        fabric.serve(port);
    }

    /**
     * Derives a locally administered MAC address: byte 1 is 0 and the rest is the IPv4 address, or byte 1 is 1 and the
     * rest is a hash of the IPv6 address.
     */
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
        // first, because it may throw, and then no context may remain
        captures.startByProperty();
        fabric.opened();
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
        fabric.alarm(nanos);
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        if (type == PacketCapture.class) {
            return Optional.of(type.cast(captures));
        }
        boolean known = type == PortControl.class || type == DeviceRemoval.class || type == DeviceCounters.class
                || type == PacketLoss.class;
        return known ? Optional.of(type.cast(control)) : fabric.capability(type);
    }

    /** Sets the tap that receives copies of the device's packets; null for none. */
    private void tap(Tap tap) {
        port.tap(tap);
        fabric.tap(tap);
    }

    void closed(SoftContext context) {
        if (contexts.remove(context)) {
            fabric.contextClosed();
        }
    }

    void checkPresent(String operation) {
        if (removed) {
            throw new VerbsException(operation, Errno.EIO, "device " + name + " was removed");
        }
    }

    public boolean isRemoved() {
        return removed;
    }

    /**
     * Removes the device: it sends and receives nothing more, its queue pairs move to ERR and flush, and every context
     * gets DEVICE_FATAL. A repeated call has no further effect.
     */
    void remove() {
        synchronized (this) {
            if (!removed) {
                // before the flag is set, because a new device may take the addresses once it is
                port.remove();
                removed = true;
                fabric.close();
            }
        }
        contexts.forEach(SoftContext::deviceRemoved);
        // after its queue pairs have failed: with ring=, that writes the packets that the capture keeps
        captures.deviceRemoved();
    }

    /** Called when the device's simulated network has ended with its last context. No more packets arrive. */
    void networkEnded() {
        captures.networkEnded();
    }

    /** Queues an asynchronous event of the port on every context. */
    void raisePortEvent(AsyncEventType type) {
        contexts.forEach(context -> context.raisePortEvent(type, SoftPort.NUMBER));
    }

    public LocalNetwork network() {
        return network;
    }

    /** Joins a multicast group on the fabric, to receive what other hosts and JVMs send to it. */
    void join(Gid group) {
        try {
            fabric.join(group);
        } catch (IOException e) {
            throw new VerbsException("attach_mcast", Errno.EINVAL,
                    "device " + name + " cannot join group " + group + ": " + e.getMessage());
        }
    }

    void leave(Gid group) {
        try {
            fabric.leave(group);
        } catch (IOException e) {
            throw new VerbsException("detach_mcast", Errno.EINVAL,
                    "device " + name + " cannot leave group " + group + ": " + e.getMessage());
        }
    }

    /** Returns the fabric through which the device reaches its peers. */
    Fabric fabric() {
        return fabric;
    }

    /** Returns the source of memory addresses and first PSNs. */
    NumberSource numbers() {
        return numbers;
    }

    SoftPort port() {
        return port;
    }

    KeyTable keyTable() {
        return keyTable;
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

    /** Returns the number of open objects by kind. */
    Map<String, Long> resources() {
        Map<String, Long> all = usage.counts();
        all.put("mr", (long) keyTable.size());
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
