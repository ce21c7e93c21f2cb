package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketCapture;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device of libibverbs by its name; the library's own list is asked anew each time, so that nothing of it need be kept.
 *
 * @param name the name, for instance {@code mlx5_0}
 * @param nodeGuid the node GUID, host order
 */
record NativeDevice(String name, long nodeGuid) implements ProviderDevice {

    private static final Logger LOG = LoggerFactory.getLogger(NativeDevice.class);

    /** The devices that libibverbs has a driver for. */
    static List<NativeDevice> list() {
        List<NativeDevice> devices = new ArrayList<>();
        inList(device -> {
            devices.add(new NativeDevice(DeviceCalls.getDeviceName(device),
                    Long.reverseBytes(DeviceCalls.getDeviceGuid(device))));
            return null;
        });
        return List.copyOf(devices);
    }

    /** Looks at each {@code struct ibv_device} until one gives an answer; they are valid no longer than that. */
    private static <T> Optional<T> inList(LongFunction<T> look) {
        long list = Failure.pointer("get_device_list", DeviceCalls.getDeviceList(MemorySegment.NULL),
                "libibverbs found no list of devices");
        try {
            for (long at = list; NativeMemory.getLong(at) != 0; at += Long.BYTES) {
                T answer = look.apply(NativeMemory.getLong(at));
                if (answer != null) {
                    return Optional.of(answer);
                }
            }
            return Optional.empty();
        } finally {
            DeviceCalls.freeDeviceList(list);
        }
    }

    @Override
    public ContextOps open() {
        long context = inList(device -> DeviceCalls.getDeviceName(device).equals(name) ? openListed(device) : null)
                .orElseThrow(() -> new VerbsException("open_device", Errno.ENODEV, name + " is gone"));
        if (System.getProperty(PacketCapture.PROPERTY) != null) {
            LOG.warn("{} has no effect on {}: the packets of software devices alone are captured",
                    PacketCapture.PROPERTY,
                    name);
        }
        try {
            return new NativeContext(name, context);
        } catch (RuntimeException e) {
            DeviceCalls.closeDevice(context);
            throw e;
        }
    }

    private Long openListed(long device) {
        long context = DeviceCalls.openDevice(device);
        if (context == -Errno.EACCES.code() || context == -Errno.EPERM.code()) {
            throw new VerbsException("open_device", (int) -context, NativeProvider.noPermission(Machine.here(), name));
        }
        return Failure.pointer("open_device", context, "the driver of " + name + " refused");
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == DeviceCounters.class
                ? Optional.of(type.cast(new KernelCounters(name, Machine.here().deviceFolder(name))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return name;
    }
}
