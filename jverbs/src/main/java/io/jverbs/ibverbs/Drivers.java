package io.jverbs.ibverbs;

import io.jverbs.DeviceAttributes;
import io.jverbs.ffm.DataPathCalls.Critical;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is known of drivers, the kernel's and the library's part together, that libibverbs does not tell. */
final class Drivers {
    private static final int RXE_VENDOR = 0xFF_FFFF;

    private Drivers() {}

    /** How a window is unbound by a request that names no region. */
    enum Unbinding {
        /** By a null pointer, as libibverbs has it. */
        NULL_REGION,
        /** By a region whose keys are 0: a null pointer would crash the driver. */
        EMPTY_REGION,
        /** Not known: such a request is refused. */
        REFUSED
    }

    /**
     * A driver.
     *
     * @param critical the verbs in which it never enters the kernel: a critical call saves a third of a post's time, but the
     *            whole JVM waits for it at a safepoint
     * @param unbinding how it unbinds
     */
    record Driver(Critical critical, Unbinding unbinding) {}

    static Driver of(String device, DeviceAttributes attributes) {
        return of(Path.of("/sys/class/infiniband", device), attributes);
    }

    static Driver of(Path sysfs, DeviceAttributes attributes) {
        return switch (name(sysfs, attributes)) {
            case "mlx5_core", "mlx4_core" -> new Driver(Critical.ALL, Unbinding.NULL_REGION);
            // It posts receives and polls in shared memory; its post_send rings the doorbell by a write(2).
            case "rdma_rxe" -> new Driver(new Critical(true, false, true, true), Unbinding.EMPTY_REGION);
            default -> new Driver(Critical.NONE, Unbinding.REFUSED);
        };
    }

    /** The kernel module; software devices are not linked to theirs, and rxe tells itself by its vendor id. */
    private static String name(Path sysfs, DeviceAttributes attributes) {
        Path driver = sysfs.resolve("device/driver");
        if (!Files.exists(driver)) {
            return attributes.vendorId() == RXE_VENDOR ? "rdma_rxe" : "";
        }
        try {
            return driver.toRealPath().getFileName().toString();
        } catch (IOException e) {
            return "";
        }
    }
}
