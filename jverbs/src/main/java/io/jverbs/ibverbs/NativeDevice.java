package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketCapture;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
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
        search(device -> {
            devices.add(new NativeDevice(DeviceCalls.getDeviceName(device),
                    Long.reverseBytes(DeviceCalls.getDeviceGuid(device))));
            return false;
        });
        return List.copyOf(devices);
    }

    /**
     * Calls a function with the address of each {@code struct ibv_device} until it returns true. The addresses are
     * valid only during this call.
     */
    private static void search(LongPredicate isFound) {
        long list = Failure.pointer("get_device_list", DeviceCalls.getDeviceList(MemorySegment.NULL),
                "libibverbs returned no device list");
        try {
            long at = list;
            while (NativeMemory.getLong(at) != 0 && !isFound.test(NativeMemory.getLong(at))) {
                at += Long.BYTES;
            }
        } finally {
            DeviceCalls.freeDeviceList(list);
        }
    }

    @Override
    public ContextOps open() {
        // the address of the struct ibv_context or -errno, 0 if there is no such device
        long[] context = new long[1];
        NativeContext opened = null;
        try {
            search(device -> openIfNamed(device, context));
            check(context[0]);
            if (System.getProperty(PacketCapture.PROPERTY) != null) {
                LOG.warn("{} has no effect on {}: packets can be captured on software devices only",
                        PacketCapture.PROPERTY, name);
            }
            opened = new NativeContext(name, context[0]);
            return opened;
        } finally {
            if (opened == null && context[0] != 0 && !Failure.isErrno(context[0])) {
                DeviceCalls.closeDevice(context[0]);
            }
        }
    }

    /** Opens a device of the list if it has this name; returns whether it has. */
    private boolean openIfNamed(long device, long[] context) {
        boolean isNamed = DeviceCalls.getDeviceName(device).equals(name);
        if (isNamed) {
            context[0] = DeviceCalls.openDevice(device);
        }
        return isNamed;
    }

    private void check(long context) {
        if (context == 0) {
            throw new VerbsException("open_device", Errno.ENODEV, "device " + name + " no longer exists");
        }
        if (context == -Errno.EACCES.code() || context == -Errno.EPERM.code()) {
            throw new VerbsException("open_device", (int) -context, NativeProvider.noPermission(Machine.here(), name));
        }
        Failure.pointer("open_device", context, "the driver of " + name + " refused to open it");
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
