package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.DeviceAttributes;
import io.jverbs.ffm.DataPathCalls.Critical;
import io.jverbs.ibverbs.Drivers.Unbinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which verbs are called as critical functions, which delay safepoints of the whole JVM: only those known not to
 * enter the kernel.
 */
final class DriversTest {
    private static final int RXE_VENDOR = 0xFF_FFFF;

    @TempDir
    private Path sysfs;

    private void setDriver(String driver) throws IOException {
        Path module = Files.createDirectories(sysfs.resolve("drivers").resolve(driver));
        Files.createDirectories(sysfs.resolve("device"));
        Files.createSymbolicLink(sysfs.resolve("device/driver"), module);
    }

    private Drivers.Driver driver(int vendor) {
        return Drivers.of(sysfs, DeviceAttributes.builder().vendorId(vendor).build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlx4_core", "mlx5_core"})
    void driversWithAUserSpaceDataPathAreCalledAsCritical(String name) throws IOException {
        setDriver(name);

        assertEquals(new Drivers.Driver(Critical.ALL, Unbinding.NULL_REGION), driver(0x15b3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hfi1", "efa", "vmw_pvrdma"})
    void unknownDriversAreNotCalledAsCritical(String name) throws IOException {
        setDriver(name);

        assertEquals(new Drivers.Driver(Critical.NONE, Unbinding.REFUSED), driver(RXE_VENDOR));
    }

    @Test
    void rxePostSendIsNotCalledAsCritical() {
        assertEquals(new Critical(true, false, true, true), driver(RXE_VENDOR).critical());
    }

    @Test
    void aDeviceWithoutAKnownDriverIsNotCalledAsCritical() {
        assertEquals(Critical.NONE, driver(0x626d74).critical());
    }
}
