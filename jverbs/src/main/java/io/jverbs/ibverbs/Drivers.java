package io.jverbs.ibverbs;

import io.jverbs.DeviceAttributes;
import io.jverbs.ffm.DataPathCalls.Critical;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Properties of drivers that libibverbs does not report. A driver is here the kernel module together with its provider
 * library. Has no state.
 */
final class Drivers {
    private static final int RXE_VENDOR = 0xFF_FFFF;

    private Drivers() {}

    /** How a driver expects a bind request that unbinds a window and names no region. */
    enum Unbinding {
        /** With a null pointer for the region, as libibverbs defines it. */
        NULL_REGION,
        /** With a region whose keys are 0, because a null pointer crashes the driver. */
        EMPTY_REGION,
        /** Unknown, so such a request is refused. */
        REFUSED
    }

    /**
     * The properties of a driver.
     *
     * @param critical the verbs that are called as critical functions, because the driver never enters the kernel in
     *         them. A critical call saves a third of the time of a post, but delays safepoints of the whole JVM
     * @param unbinding how the driver expects an unbind
     */
    record Driver(Critical critical, Unbinding unbinding) {}

    static Driver of(String device, DeviceAttributes attributes) {
        return of(Path.of("/sys/class/infiniband", device), attributes);
    }

    static Driver of(Path sysfs, DeviceAttributes attributes) {
        return switch (name(sysfs, attributes)) {
            case "mlx5_core", "mlx4_core" -> new Driver(Critical.ALL, Unbinding.NULL_REGION);
            // rxe posts receives and polls in shared memory, but its post_send rings the doorbell with a write(2).
            case "rdma_rxe" -> new Driver(new Critical(true, false, true, true), Unbinding.EMPTY_REGION);
            default -> new Driver(Critical.NONE, Unbinding.REFUSED);
        };
    }

    /**
     * The name of the kernel module, empty if unknown. Software devices have no link to their module in sysfs; rxe is
     * recognized by its vendor id.
     */
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
