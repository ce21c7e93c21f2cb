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
 * A device of libibverbs, identified by its name. Each use gets a new device list from the library, so no pointer into
 * the list is kept. Immutable.
 *
 * @param name the name, for instance {@code mlx5_0}
 * @param nodeGuid the node GUID in host byte order
 */
record NativeDevice(String name, long nodeGuid) implements ProviderDevice {

    private static final Logger LOG = LoggerFactory.getLogger(NativeDevice.class);

    /** The devices for which libibverbs has a driver. */
    static List<NativeDevice> list() {
        List<NativeDevice> devices = new ArrayList<>();
        findInList(device -> {
            devices.add(new NativeDevice(DeviceCalls.getDeviceName(device),
                    Long.reverseBytes(DeviceCalls.getDeviceGuid(device))));
            return null;
        });
        return List.copyOf(devices);
    }

    /**
     * Calls a function with the address of each {@code struct ibv_device} until it returns a result. The addresses are
     * valid only during this call.
     */
    private static <T> Optional<T> findInList(LongFunction<T> lookup) {
        long list = Failure.pointer("get_device_list", DeviceCalls.getDeviceList(MemorySegment.NULL),
                "libibverbs returned no device list");
        try {
            for (long at = list; NativeMemory.getLong(at) != 0; at += Long.BYTES) {
                T result = lookup.apply(NativeMemory.getLong(at));
                if (result != null) {
                    return Optional.of(result);
                }
            }
            return Optional.empty();
        } finally {
            DeviceCalls.freeDeviceList(list);
        }
    }

    @Override
    public ContextOps open() {
        long context = findInList(device -> DeviceCalls.getDeviceName(device).equals(name) ? openListed(device) : null)
                .orElseThrow(
                        () -> new VerbsException("open_device", Errno.ENODEV, "device " + name + " no longer exists"));
        if (System.getProperty(PacketCapture.PROPERTY) != null) {
            LOG.warn("{} has no effect on {}: packets can be captured on software devices only",
                    PacketCapture.PROPERTY, name);
        }
        try {
            return new NativeContext(name, context);
        } catch (RuntimeException | Error e) {
            DeviceCalls.closeDevice(context);
            throw e;
        }
    }

    private Long openListed(long device) {
        long context = DeviceCalls.openDevice(device);
        if (context == -Errno.EACCES.code() || context == -Errno.EPERM.code()) {
            throw new VerbsException("open_device", (int) -context, NativeProvider.noPermission(Machine.here(), name));
        }
        return Failure.pointer("open_device", context, "the driver of " + name + " refused to open it");
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
