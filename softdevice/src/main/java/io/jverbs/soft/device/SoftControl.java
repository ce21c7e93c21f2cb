package io.jverbs.soft.device;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.control.QueuePairCounters;
import io.jverbs.soft.fabric.CounterNames;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.StackReserve;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * The operations on a software device beyond verbs, for tests and tools: port and cable, GID and P_Key tables,
 * counters, and packet loss. Thread-safe.
 */
final class SoftControl implements PortControl, DeviceCounters, PacketLoss {
    private static final int MAX_PKEY = 0xFFFF;

    private final DeviceCore device;

    SoftControl(DeviceCore device) {
        this.device = device;
    }

    /** Returns the port; called at the start of each operation on it. */
    private SoftPort port(String operation, int port) {
        StackReserve.check();
        device.checkPresent(operation);
        Limits.check(operation, "port", port, SoftPort.NUMBER, SoftPort.NUMBER);
        return device.port();
    }

    @Override
    public void pullCable(int port) {
        if (port("pull_cable", port).up(false)) {
            device.raisePortEvent(AsyncEventType.PORT_ERR);
        }
    }

    @Override
    public void plugCable(int port) {
        if (port("plug_cable", port).up(true)) {
            device.raisePortEvent(AsyncEventType.PORT_ACTIVE);
        }
    }

    @Override
    public int addGid(int port, Gid gid) {
        Objects.requireNonNull(gid, "gid");
        int index = port("add_gid", port).addGid(gid);
        device.raisePortEvent(AsyncEventType.GID_CHANGE);
        return index;
    }

    @Override
    public void removeGid(int port, int index) {
        SoftPort target = port("remove_gid", port);
        target.removeGid(Limits.check("remove_gid", "index", index, 0, SoftPort.GIDS - 1));
        device.raisePortEvent(AsyncEventType.GID_CHANGE);
    }

    @Override
    public void setPkey(int port, int index, int pkey) {
        SoftPort target = port("set_pkey", port);
        Limits.check("set_pkey", "index", index, 0, SoftPort.PKEYS - 1);
        target.pkey(index, Limits.check("set_pkey", "pkey", pkey, 0, MAX_PKEY));
        device.raisePortEvent(AsyncEventType.PKEY_CHANGE);
    }

    @Override
    public void setActiveMtu(int port, Mtu mtu) {
        Objects.requireNonNull(mtu, "mtu");
        SoftPort target = port("set_mtu", port);
        if (mtu == Mtu.UNKNOWN) {
            throw new VerbsException("set_mtu", Errno.EINVAL,
                    "mtu is UNKNOWN; allowed are 256, 512, 1024, 2048 and 4096 bytes");
        }
        target.activeMtu(mtu);
    }

    @Override
    public Map<String, Long> snapshot() {
        StackReserve.check();
        return Collections.unmodifiableMap(device.port().counters());
    }

    @Override
    public Map<String, Long> snapshot(int port) {
        Limits.check("counters", "port", port, SoftPort.NUMBER, SoftPort.NUMBER);
        return snapshot();
    }

    @Override
    public Map<String, Long> resources() {
        StackReserve.check();
        return Collections.unmodifiableMap(device.resources());
    }

    @Override
    public List<QueuePairCounters> queuePairs() {
        StackReserve.check();
        return device.queuePairs().all().stream().sorted(Comparator.comparingInt(SoftQp::number))
                .map(SoftControl::counters).toList();
    }

    @Override
    public List<CmIdSnapshot> cmIds() {
        StackReserve.check();
        return device.port().management().cmIds();
    }

    private static QueuePairCounters counters(SoftQp qp) {
        Map<String, Long> counters = new HashMap<>(CounterNames.of(qp.traffic()));
        for (Counter counter : Counter.values()) {
            if (qp.counters().get(counter) != 0) {
                counters.put(counter.label(), qp.counters().get(counter));
            }
        }
        return new QueuePairCounters(qp.number(), qp.parts().service().type(), QpState.of(qp.state()), peer(qp),
                counters);
    }

    private static int peer(SoftQp qp) {
        qp.lock();
        try {
            return qp.settings().destinationQpn;
        } finally {
            qp.unlock();
        }
    }

    @Override
    public void add(IntPredicate filter) {
        device.port().addLoss(Objects.requireNonNull(filter, "filter"));
    }

    @Override
    public void remove(IntPredicate filter) {
        device.port().removeLoss(Objects.requireNonNull(filter, "filter"));
    }
}
