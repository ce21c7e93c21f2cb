package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.ffm.NativeLibrary.Obstacle;
import io.jverbs.ffm.NativeLibrary.Unusable;
import io.jverbs.ffm.NativeLibrary.Usable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the results of the probe for simulated machines. */
class LibraryProbeTest {

    private static final SymbolLookup BOTH = name -> Optional.of(MemorySegment.ofAddress(1));

    /**
     * A simulated machine. {@link #GOOD} is one on which the library is usable; the {@code with} methods change one
     * property.
     */
    private record Described(String system, String architecture, boolean nativeAccess, Optional<String> moduleName,
            Optional<SymbolLookup> library) implements LibraryProbe.Machine {

        static final Described GOOD = new Described("Linux", "aarch64", true, Optional.empty(), Optional.of(BOTH));

        @Override
        public Optional<SymbolLookup> load(String name) {
            return nativeAccess ? library : fail("asked to load " + name + " without native access");
        }

        Described withSystem(String other) {
            return new Described(other, architecture, nativeAccess, moduleName, library);
        }

        Described withArchitecture(String other) {
            return new Described(system, other, nativeAccess, moduleName, library);
        }

        Described withoutNativeAccess(Optional<String> module) {
            return new Described(system, architecture, false, module, library);
        }

        Described withLibrary(Optional<SymbolLookup> other) {
            return new Described(system, architecture, nativeAccess, moduleName, other);
        }
    }

    private static LibraryProbe on(LibraryProbe.Machine machine) {
        return new LibraryProbe("libexample.so.1", "jverbs.test.no.such.property", "the example package",
                List.of("first", "second"), machine);
    }

    private static void assertUnusable(Obstacle obstacle, String reason, Described machine) {
        assertEquals(new Unusable(obstacle, reason), on(machine).result());
    }

    @Test
    void aLibraryWithAllSymbolsIsUsable() {
        assertEquals(new Usable("libexample.so.1", BOTH), on(Described.GOOD).result());
    }

    @Test
    void aUsableResultIsCached() {
        var probe = on(Described.GOOD);
        assertSame(probe.result(), probe.result());
    }

    @Test
    void anotherOperatingSystemIsReportedBeforeOtherObstacles() {
        assertUnusable(Obstacle.NOT_LINUX, "RDMA hardware is supported on Linux only, and this is Mac OS X",
                Described.GOOD.withSystem("Mac OS X").withArchitecture("s390x").withoutNativeAccess(Optional.empty()));
    }

    @Test
    void anUnknownArchitectureIsRefused() {
        assertUnusable(Obstacle.UNKNOWN_ARCHITECTURE,
                "the layouts of libibverbs are known for amd64 and aarch64, and this is s390x",
                Described.GOOD.withArchitecture("s390x"));
    }

    @Test
    void noLibraryIsLoadedWithoutNativeAccess() {
        assertUnusable(Obstacle.NATIVE_ACCESS_NOT_ENABLED,
                "native access is not enabled: start Java with --enable-native-access=a.module",
                Described.GOOD.withoutNativeAccess(Optional.of("a.module")));
    }

    @Test
    void anAbsentLibraryIsReportedWithItsPackage() {
        assertUnusable(Obstacle.LIBRARY_ABSENT, "libexample.so.1 cannot be loaded: install it (the example package)",
                Described.GOOD.withLibrary(Optional.empty()));
    }

    @Test
    void aMissingSymbolIsReportedByName() {
        SymbolLookup first = name -> name.equals("first") ? Optional.of(MemorySegment.ofAddress(1)) : Optional.empty();
        assertUnusable(Obstacle.SYMBOL_MISSING,
                "libexample.so.1 has no function second: it is not the library of rdma-core, or too old",
                Described.GOOD.withLibrary(Optional.of(first)));
    }

    @Test
    void theFileOfALoadedLibraryIsReported() {
        var file = new Usable("libc.so.6", BOTH).file();
        if (System.getProperty("os.name").equals("Linux")) {
            assertEquals("libc.so.6", file.orElseThrow().replaceAll(".*/", ""));
        } else {
            assertEquals(Optional.empty(), file);
        }
    }

    @Test
    void theFileOfALibraryThatIsNotLoadedIsEmpty() {
        assertEquals(Optional.empty(), new Usable("libexample.so.1", BOTH).file());
    }

    @Test
    void theRealProbeReturnsAResultOnThisMachine() {
        for (var library : List.of(NativeLibrary.ibverbs(), NativeLibrary.rdmacm())) {
            switch (library) {
                case Usable usable -> assertInstanceOf(MemorySegment.class,
                        usable.symbols().find(usable.name().contains("verbs") ? "ibv_open_device" : "rdma_connect")
                                .orElseThrow());
                case Unusable unusable -> assertEquals(false, unusable.reason().isBlank());
            }
        }
    }
}
