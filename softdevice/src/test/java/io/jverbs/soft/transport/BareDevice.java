package io.jverbs.soft.transport;

import io.jverbs.Gid;
import io.jverbs.QpType;
import io.jverbs.soft.fabric.ServiceTypes;
import io.jverbs.soft.fuzz.VirtualTimers;
import io.jverbs.soft.memory.KeyNumbers;
import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.DeadlineScan;
import io.jverbs.soft.queue.DeferredWork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * What queue pairs use of a device, without the device: a port, a network and a wire that record what happens, and a
 * clock that the test advances.
 */
public final class BareDevice {
    /** The GID of the port. */
    public static final Gid GID = Gid.parse("::ffff:192.0.2.1");
    /** The GID of a peer over the wire. */
    public static final Gid PEER = Gid.parse("::ffff:192.0.2.2");
    /** The maximum length of a message. */
    public static final long MAX_MESSAGE = 1 << 20;

    public final RecordingPort port = new RecordingPort();
    public final LocalQueuePairs network = new LocalQueuePairs();
    /** The wire, null if there is none. */
    public final RecordingNetwork wire;
    public final VirtualTimers timers = new VirtualTimers();
    public final DeadlineScan scan = new DeadlineScan(timers);
    public final DeferredWork.DeferredQueue deferred = new DeferredWork.DeferredQueue();
    public final SoftPd domain = new SoftPd(MemorySegment::address);
    public final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 16, 4);

    private final ServiceTypes services;

    private BareDevice(RecordingNetwork wire, ServiceTypes services) {
        this.wire = wire;
        this.services = services;
        network.addPort(GID);
    }

    /** {@return a device whose queue pairs reach peers over a wire} */
    public static BareDevice withWire() {
        return new BareDevice(new RecordingNetwork(), ServiceTypes.ROCE);
    }

    /** {@return a device whose queue pairs reach peers in the same JVM only} */
    public static BareDevice withoutWire() {
        return new BareDevice(null, ServiceTypes.WITHIN_JVM);
    }

    /** {@return the service of a type of queue pair} */
    public ServiceType service(QpType type) {
        return services.of(type).orElseThrow();
    }

    /** {@return new memory of zeros} */
    public static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    /** {@return a region that requests name by the addresses of the memory} */
    public SoftMr register(MemorySegment memory, int access) {
        return keyTable.register(domain, memory, access, memory.address());
    }

    /** {@return a queue pair in RESET, which the network finds} */
    public BareQueuePair create(QpType type, int number) {
        return create(service(type), number, null);
    }

    /** {@return a queue pair in RESET, which the network finds; the shared receive queue may be null} */
    public BareQueuePair create(ServiceType service, int number, SoftSrq srq) {
        BareQueuePair made = new BareQueuePair(this, service, number, srq);
        network.add(made.qp);
        return made;
    }
}
