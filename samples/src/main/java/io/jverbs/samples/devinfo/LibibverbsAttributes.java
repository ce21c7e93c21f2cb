package io.jverbs.samples.devinfo;

import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.ibverbs.ibv_device_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_port_attr;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Attributes of a libibverbs device that the API does not have. They are queried through ffm-bindings, the layer below
 * the API, with the {@code struct ibv_context} of the device.
 */
final class LibibverbsAttributes {
    private static final String NATIVE = "native";

    private final long context;
    private final Path sysfs;

    private LibibverbsAttributes(long context) {
        this.context = context;
        this.sysfs = Path.of(io.jverbs.ffm.Fields.deviceSysfsPath(io.jverbs.ffm.Fields.device(context)));
    }

    /** {@return the attributes of a device; empty if it is not a device of libibverbs} */
    static Optional<LibibverbsAttributes> of(RdmaContext context) {
        if (!context.device().provider().equals(NATIVE)) {
            return Optional.empty();
        }
        try (ProtectionDomain pd = context.allocatePd()) {
            return Optional.of(new LibibverbsAttributes(io.jverbs.ffm.Fields.context(pd.handle().nativeAddress())));
        }
    }

    /** {@return the vendor's name of the board; empty if the driver does not report it} */
    Optional<String> board() {
        Path file = sysfs.resolve("board_id");
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** {@return the device's {@code struct ibv_device_attr_ex}} */
    MemorySegment device(Arena arena) {
        MemorySegment attributes = ibv_device_attr_ex.allocate(arena);
        check("query_device_ex", DeviceCalls.queryDeviceEx(context, MemorySegment.NULL, attributes));
        return attributes;
    }

    int portCapFlags2(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_port_attr.allocate(arena);
            check("query_port", DeviceCalls.queryPort(context, port, attributes));
            return Short.toUnsignedInt(ibv_port_attr.port_cap_flags2(attributes));
        }
    }

    private static void check(String operation, int errno) {
        if (errno != 0) {
            throw new VerbsException(operation, errno, "the driver returned an error");
        }
    }
}
