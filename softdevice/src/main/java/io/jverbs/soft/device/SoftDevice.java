package io.jverbs.soft.device;

import io.jverbs.VerbsException;
import io.jverbs.control.CmMessageFaults;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.soft.capture.Captures;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.StackReserve;
import java.util.Map;
import java.util.Optional;

/**
 * A software device: one port, and the tables of queue pairs and keys that all its contexts share. Its {@link Fabric}
 * says how it reaches its peers. Thread-safe.
 */
public final class SoftDevice implements ProviderDevice, DeviceRemoval {
    private final DeviceCore core;
    private final Captures captures;
    /** What tests and tools can use of this device, besides what its fabric offers. */
    private final Map<Class<?>, Object> capabilities;

    /**
     * Creates a device that uses a fabric, and gives the fabric its port.
     *
     * @param fabric the fabric
     * @throws VerbsException with EINVAL if a device on the same network has this address already
     */
    public SoftDevice(Fabric fabric) {
        core = new DeviceCore(fabric);
        try {
            captures = new Captures(core.name(), core.network().timers(), core.port()::tap);
            SoftControl control = new SoftControl(core);
            capabilities = Map.of(PacketCapture.class, captures, DeviceRemoval.class, this, PortControl.class, control,
                    DeviceCounters.class, control, PacketLoss.class, control, CmMessageFaults.class,
                    core.connectionManager().messageFaults());
        } catch (Error e) {
            // its addresses are free for another device
            core.remove();
            throw e;
        }
    }

    /** Returns what the parts of the device share. */
    DeviceCore core() {
        return core;
    }

    @Override
    public String name() {
        return core.name();
    }

    @Override
    public long nodeGuid() {
        return core.nodeGuid();
    }

    @Override
    public ContextOps open() {
        core.checkPresent("open_device");
        // first, because it may throw, and then no context may remain
        captures.startByProperty();
        SoftContext context = new SoftContext(core);
        core.opened(context);
        return context;
    }

    @Override
    public long nanoTime() {
        return core.network().timers().nanoTime();
    }

    @Override
    public void alarm(long nanos) {
        core.fabric().alarm(nanos);
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        Object own = capabilities.get(type);
        return own == null ? core.fabric().capability(type) : Optional.of(type.cast(own));
    }

    /** Returns whether the device can be opened: it was not removed, and its network has not ended. */
    boolean exists() {
        return !core.isRemoved() && !core.fabric().lifetime().hasEnded();
    }

    @Override
    public boolean removed() {
        return core.isRemoved();
    }

    @Override
    public void remove() {
        StackReserve.check();
        core.remove();
        // after its queue pairs have failed: with ring=, that writes the packets that the capture keeps
        captures.deviceRemoved();
    }

    /** Called when the device's simulated network has ended with its last context. No more packets arrive. */
    void networkEnded() {
        captures.networkEnded();
    }

    @Override
    public String toString() {
        return core.name();
    }
}
