package io.jverbs.samples.tour.operation;

import io.jverbs.CompletionChannel;
import io.jverbs.DeviceAttributes;
import io.jverbs.GidEntry;
import io.jverbs.PortAttributes;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;

/** One side of the connections: a context of its own on the device. The two sides could be on different machines. */
public final class Side implements AutoCloseable {
    static final int PORT = 1;
    private static final int COMPLETIONS = 64;

    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final DeviceAttributes device;
    private final PortAttributes port;
    private final GidEntry gid;
    private final NetworkFaults faults;

    Side(RdmaContext context, NetworkFaults faults) {
        this.context = context;
        this.faults = faults;
        this.pd = context.allocatePd();
        this.device = context.queryDevice();
        this.port = context.queryPort(PORT);
        this.gid = context.preferredGid(PORT);
    }

    RdmaContext context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    DeviceAttributes device() {
        return device;
    }

    PortAttributes port() {
        return port;
    }

    GidEntry gid() {
        return gid;
    }

    public NetworkFaults faults() {
        return faults;
    }

    /** {@return a completion queue for queue pairs of a type} */
    Completions completions(QpType type) {
        return new Completions(context.createCompletionQueue(Math.min(COMPLETIONS, device.maxCqe())),
                type == QpType.RC ? () -> false : faults::occurred);
    }

    /** {@return a completion queue for RC queue pairs that raises completion events on a channel} */
    Completions completions(CompletionChannel channel) {
        return new Completions(context.createCompletionQueue(Math.min(COMPLETIONS, device.maxCqe()), channel),
                () -> false);
    }

    /** Closes the context with all objects that a failed step has left open. */
    @Override
    public void close() {
        try {
            pd.close();
        } finally {
            context.close();
        }
    }
}
