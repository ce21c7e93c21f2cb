package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.VerbsProvider.AutoChoice;
import java.io.IOException;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the devices that {@code auto} and selectors return on simulated machines, each a directory tree. */
class NativeProviderTest {
    private static final NativeLibrary USABLE = new NativeLibrary.Usable("libibverbs.so.1",
            SymbolLookup.loaderLookup());
    private static final String FORM_AND_PAGE = "; the form is native[:NAME], NAME as ibv_devices shows it; see"
            + " docs/devices.md";
    private static final Supplier<NativeLibrary> NOT_LOADED = () -> {
        throw new AssertionError("the library was loaded on a machine without a device");
    };

    @TempDir
    private Path root;

    @BeforeEach
    void createEmptyMachine() throws IOException {
        for (String folder : List.of("sys", "dev/infiniband", "lib")) {
            Files.createDirectories(root.resolve(folder));
        }
    }

    private NativeProvider provider(Supplier<NativeLibrary> library, NativeDevice... devices) {
        return new NativeProvider(
                new Machine(root.resolve("sys"), root.resolve("dev"), List.of(root.resolve("lib")), library),
                () -> List.of(devices));
    }

    private void installLibrary() throws IOException {
        Files.createFile(root.resolve("lib/libibverbs.so.1"));
    }

    private void addDevice(String name, String uverbs, String portState) throws IOException {
        Path port = Files.createDirectories(root.resolve("sys/class/infiniband/" + name + "/ports/1"));
        Files.writeString(port.resolve("state"), portState + "\n");
        Path file = Files.createDirectories(root.resolve("sys/class/infiniband_verbs/" + uverbs));
        Files.writeString(file.resolve("ibdev"), name + "\n");
        Files.createFile(root.resolve("dev/infiniband/" + uverbs));
    }

    private static NativeDevice device(String name) {
        return new NativeDevice(name, 1);
    }

    private static AutoChoice.Unusable unusable(NativeProvider provider) {
        return assertInstanceOf(AutoChoice.Unusable.class, provider.auto());
    }

    @Test
    void withoutTheLibraryAutoReportsItAndLoadsNothing() {
        AutoChoice.Unusable choice = unusable(provider(NOT_LOADED));
        assertEquals(new AutoChoice.Unusable("libibverbs is not installed (it comes with rdma-core)", false), choice);
    }

    @Test
    void withoutInfiniBandInTheKernelAutoReportsItAndLoadsNothing() throws IOException {
        installLibrary();
        assertEquals(new AutoChoice.Unusable(
                "libibverbs is installed, but the kernel has no InfiniBand support loaded", false),
                unusable(provider(NOT_LOADED)));
    }

    @Test
    void withoutADeviceAutoReportsItAndLoadsNothing() throws IOException {
        installLibrary();
        Files.createDirectories(root.resolve("sys/class/infiniband"));
        assertEquals(new AutoChoice.Unusable("there is no RDMA device", false), unusable(provider(NOT_LOADED)));
    }

    @Test
    void withADeviceButNoLibraryAutoWarns() throws IOException {
        addDevice("mlx5_0", "uverbs0", "4: ACTIVE");
        NativeLibrary absent = new NativeLibrary.Unusable(NativeLibrary.Obstacle.LIBRARY_ABSENT, "no such library");
        assertEquals(new AutoChoice.Unusable("there is mlx5_0, but no such library", true),
                unusable(provider(() -> absent)));
    }

    @Test
    void withoutPermissionToOpenTheDeviceAutoNamesTheFile() throws IOException {
        addDevice("rxe0", "uverbs0", "4: ACTIVE");
        Path file = root.resolve("dev/infiniband/uverbs0");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(file),
                "root can open every file; .ci/rxe-auto tests this as another user");
        assertEquals(new AutoChoice.Unusable(
                "no permission to open rxe0: this user must be able to read and write " + file, true),
                unusable(provider(() -> USABLE, device("rxe0"))));
    }

    @Test
    void withoutADeviceFileAutoNamesTheKernelModule() throws IOException {
        Files.createDirectories(root.resolve("sys/class/infiniband/rxe0"));
        assertEquals(new AutoChoice.Unusable(
                "there is no device file for rxe0: load the kernel module ib_uverbs", true),
                unusable(provider(() -> USABLE, device("rxe0"))));
    }

    @Test
    void withoutADriverForTheDeviceAutoNamesThePackage() throws IOException {
        addDevice("rxe0", "uverbs0", "4: ACTIVE");
        assertEquals(new AutoChoice.Unusable("libibverbs has no driver for rxe0 (package ibverbs-providers)", true),
                unusable(provider(() -> USABLE)));
    }

    @Test
    void autoSelectsTheFirstDeviceWithAnActivePort() throws IOException {
        addDevice("mlx5_0", "uverbs0", "1: DOWN");
        addDevice("mlx5_1", "uverbs1", "4: ACTIVE");
        NativeProvider provider = provider(() -> USABLE, device("mlx5_0"), device("mlx5_1"));
        assertEquals(new AutoChoice.Usable(device("mlx5_1")), provider.auto());
        assertEquals(device("mlx5_1"), provider.device(DeviceSelector.parse("native")));
        assertEquals(device("mlx5_0"), provider.device(DeviceSelector.parse("native:mlx5_0")));
    }

    @Test
    void withAllPortsDownAutoWarns() throws IOException {
        addDevice("mlx5_0", "uverbs0", "1: DOWN");
        assertEquals(new AutoChoice.Unusable("no port of mlx5_0 is active", true),
                unusable(provider(() -> USABLE, device("mlx5_0"))));
    }

    @Test
    void anUnknownDeviceNameIsRefusedListingTheDevices() throws IOException {
        addDevice("mlx5_0", "uverbs0", "4: ACTIVE");
        addDevice("rxe0", "uverbs1", "4: ACTIVE");
        NativeProvider provider = provider(() -> USABLE, device("mlx5_0"), device("rxe0"));
        VerbsException refused = assertThrows(VerbsException.class,
                () -> provider.device(DeviceSelector.parse("native:mlx4_0")));
        assertEquals(Errno.ENODEV, refused.error());
        assertEquals("device selector \"native:mlx4_0\": there is no device \"mlx4_0\"; there are: mlx5_0, rxe0"
                + FORM_AND_PAGE, refused.explanation());
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "native:foo"})
    void withoutTheLibraryASelectorIsRefusedWithItsValueTheFormAndThePage(String selector) {
        VerbsException refused = assertThrows(VerbsException.class,
                () -> provider(NOT_LOADED).device(DeviceSelector.parse(selector)));
        assertEquals(Errno.ENODEV, refused.error());
        assertEquals("device selector \"" + selector + "\": libibverbs is not installed (it comes with rdma-core)"
                + FORM_AND_PAGE, refused.explanation());
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "native:foo"})
    void withoutADeviceASelectorIsRefusedWithItsValueTheFormAndThePage(String selector) throws IOException {
        installLibrary();
        Files.createDirectories(root.resolve("sys/class/infiniband"));
        VerbsException refused = assertThrows(VerbsException.class,
                () -> provider(NOT_LOADED).device(DeviceSelector.parse(selector)));
        assertEquals(Errno.ENODEV, refused.error());
        assertEquals("device selector \"" + selector + "\": there is no RDMA device" + FORM_AND_PAGE,
                refused.explanation());
    }

    @Test
    void anUnknownOptionIsRefusedWithTheGrammar() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> provider(NOT_LOADED).device(DeviceSelector.parse("native:rxe0?fast=yes")));
        assertEquals("device selector \"native:rxe0?fast=yes\": unknown option \"fast\", as native devices take none"
                + FORM_AND_PAGE, refused.getMessage());
    }

    @Test
    void withoutADeviceTheListIsEmpty() {
        assertEquals(List.of(), provider(NOT_LOADED).devices());
        assertEquals(Optional.empty(), new Machine(root, root, List.of(), NOT_LOADED).deviceFile("rxe0"));
    }
}
