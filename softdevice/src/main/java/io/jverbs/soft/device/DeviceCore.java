package io.jverbs.soft.device;

import io.jverbs.AsyncEventType;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.NumberSource;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.management.ConnectionManager;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.memory.KeyNumbers;
import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.transport.SoftQp;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the parts of a software device share: the fabric, the port, the tables of queue pairs and keys, the counts of
 * objects and their limits, the open contexts, and whether the device was removed. Thread-safe.
 */
final class DeviceCore {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final Fabric fabric;
    private final String name;
    private final long nodeGuid;
    private final LocalNetwork network;
    private final NumberSource numbers;
    private final DirectTable<SoftQp> queuePairs = new DirectTable<>();
    private final SoftPort port;
    private final ConnectionManager connectionManager;
    private final KeyTable keyTable;
    private final QpNumbers qpNumbers;
    private final DeviceAttributes attributes;
    private final Usage usage = new Usage();
    private final List<OpenContext> contexts = new CopyOnWriteArrayList<>();
    private volatile boolean removed;

    /**
     * Creates the parts of a device that uses a fabric, and gives the fabric its port.
     *
     * @param fabric the fabric
     * @throws VerbsException with EINVAL if a device on the same network has this address already
     */
    DeviceCore(Fabric fabric) {
        this.fabric = fabric;
        this.name = fabric.name();
        this.network = fabric.network();
        this.numbers = fabric.numbers();
        Gid address = fabric.gid();
        Gid defaultGid = Gid.ofMac(mac(address));
        this.nodeGuid = defaultGid.low();
        this.port = new SoftPort(name, network, queuePairs);
        this.connectionManager = new ConnectionManager(fabric, port);
        port.management(connectionManager);
        this.keyTable = new KeyTable(new KeyNumbers(fabric.random()), Limits.MAX_MR, Limits.MAX_MW);
        this.qpNumbers = new QpNumbers(fabric.random());
        this.attributes = Limits.attributes(nodeGuid);
        try {
            if (!address.isLinkLocal()) {
                // a link-local address is the default GID itself; a second one could be mistaken for it
                port.addGid(defaultGid);
            }
            port.addGid(address);
            port.activeMtu(fabric.mtu());
            fabric.packets().serve(port);
        } catch (RuntimeException | Error e) {
            // the addresses are free for another device
            port.remove();
            throw e;
        }
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

    String name() {
        return name;
    }

    long nodeGuid() {
        return nodeGuid;
    }

    /** Adds a new context, and informs the fabric. If that fails, the context is removed again. */
    void opened(OpenContext context) {
        fabric.lifetime().contextOpened();
        try {
            contexts.add(context);
            if (removed) {
                context.deviceRemoved();
            }
        } catch (RuntimeException | Error e) {
            closed(context);
            throw e;
        }
    }

    /** Removes a context that was closed. Can be repeated after an Error, but not once it has returned. */
    void closed(OpenContext context) {
        contexts.remove(context);
        fabric.lifetime().contextClosed();
    }

    void checkPresent(String operation) {
        if (removed) {
            throw new VerbsException(operation, Errno.EIO, "device " + name + " was removed");
        }
    }

    boolean isRemoved() {
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
            }
            // has no effect if it is done, so that the call can be repeated after an Error
            fabric.packets().close();
        }
        contexts.forEach(OpenContext::deviceRemoved);
        connectionManager.deviceRemoved();
    }

    /** Queues an asynchronous event of the port on every context. */
    void raisePortEvent(AsyncEventType type) {
        contexts.forEach(context -> context.raisePortEvent(type, SoftPort.NUMBER));
    }

    /** Joins a multicast group on the fabric, to receive what other hosts and JVMs send to it. */
    void join(Gid group) {
        try {
            fabric.packets().join(group);
        } catch (IOException e) {
            throw new VerbsException("attach_mcast", Errno.EINVAL,
                    "device " + name + " cannot join group " + group + ": " + e.getMessage());
        }
    }

    void leave(Gid group) {
        try {
            fabric.packets().leave(group);
        } catch (IOException e) {
            throw new VerbsException("detach_mcast", Errno.EINVAL,
                    "device " + name + " cannot leave group " + group + ": " + e.getMessage());
        }
    }

    /** Returns the fabric through which the device reaches its peers. */
    Fabric fabric() {
        return fabric;
    }

    LocalNetwork network() {
        return network;
    }

    /** Returns the source of memory addresses and first PSNs. */
    NumberSource numbers() {
        return numbers;
    }

    SoftPort port() {
        return port;
    }

    ConnectionManager connectionManager() {
        return connectionManager;
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

    Usage usage() {
        return usage;
    }

    /** Returns the number of open objects by kind. */
    Map<String, Long> resources() {
        Map<String, Long> all = usage.counts();
        all.put("mr", (long) keyTable.size());
        all.put("ctx", (long) contexts.size());
        return all;
    }
}
