package io.jverbs.ffm;

import io.jverbs.ffm.NativeLibrary.Obstacle;
import io.jverbs.ffm.NativeLibrary.Unusable;
import io.jverbs.ffm.NativeLibrary.Usable;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether a native library can be used, with the cheapest check first. Caches a positive result; a negative
 * one is checked again each time. Any thread may call {@link #result}; two threads may probe at the same time.
 */
final class LibraryProbe {

    static final LibraryProbe IBVERBS = new LibraryProbe("libibverbs.so.1", NativeLibrary.IBVERBS_PROPERTY,
            "libibverbs1 and ibverbs-providers on Debian and Ubuntu, libibverbs on Fedora and its derivatives",
            IbverbsFunction.requiredSymbols(), Machine.REAL);

    static final LibraryProbe RDMACM = new LibraryProbe("librdmacm.so.1", NativeLibrary.RDMACM_PROPERTY,
            "librdmacm1 on Debian and Ubuntu, librdmacm on Fedora and its derivatives",
            RdmacmFunction.requiredSymbols(), Machine.REAL);

    private final String defaultName;
    private final String property;
    private final String packages;
    private final List<String> required;
    private final Machine machine;
    private volatile Usable usable;

    LibraryProbe(String defaultName, String property, String packages, List<String> required, Machine machine) {
        this.defaultName = defaultName;
        this.property = property;
        this.packages = packages;
        this.required = required;
        this.machine = machine;
    }

    NativeLibrary result() {
        var known = usable;
        if (known != null) {
            return known;
        }
        var result = probe();
        if (result instanceof Usable found) {
            usable = found;
        }
        return result;
    }

    /** {@return the symbols of the library} Throws IllegalStateException if it cannot be used. */
    SymbolLookup symbols() {
        return switch (result()) {
            case Usable library -> library.symbols();
            case Unusable library -> throw new IllegalStateException(library.reason());
        };
    }

    private NativeLibrary probe() {
        if (!machine.system().equals("Linux")) {
            return no(Obstacle.NOT_LINUX,
                    "RDMA hardware is supported on Linux only, and this is " + machine.system());
        }
        if (Abi.ofArchitecture(machine.architecture()).isEmpty()) {
            return no(Obstacle.UNKNOWN_ARCHITECTURE,
                    "the layouts of libibverbs are known for amd64 and aarch64, and this is " + machine.architecture());
        }
        if (!machine.nativeAccess()) {
            return no(Obstacle.NATIVE_ACCESS_NOT_ENABLED,
                    "native access is not enabled: start Java with --enable-native-access="
                            + machine.moduleName().orElse("ALL-UNNAMED"));
        }
        var given = System.getProperty(property);
        var name = given == null ? defaultName : given;
        var symbols = machine.load(name);
        if (symbols.isEmpty()) {
            return no(Obstacle.LIBRARY_ABSENT, given == null
                    ? name + " cannot be loaded: install it (" + packages + ")"
                    : refusal(name, "it cannot be loaded"));
        }
        for (var symbol : required) {
            if (symbols.get().find(symbol).isEmpty()) {
                return no(Obstacle.SYMBOL_MISSING, given == null
                        ? name + " has no function " + symbol + ": it is not the library of rdma-core, or too old"
                        : refusal(name, "it has no function " + symbol));
            }
        }
        return new Usable(name, symbols.get());
    }

    private String refusal(String name, String reason) {
        return "system property " + property + "=" + name + ": " + reason + "; allowed are the path of " + defaultName
                + " of rdma-core, and a name under which the dynamic linker finds it (" + packages
                + "); see docs/devices.md";
    }

    private static Unusable no(Obstacle obstacle, String reason) {
        return new Unusable(obstacle, reason);
    }

    /** The properties of the machine and the JVM that the probe checks; tests replace it. */
    interface Machine {

        Machine REAL = new Machine() {};

        default String system() {
            return System.getProperty("os.name");
        }

        default String architecture() {
            return System.getProperty("os.arch");
        }

        /** Whether this module may call restricted methods without a warning or an exception. */
        default boolean nativeAccess() {
            return LibraryProbe.class.getModule().isNativeAccessEnabled();
        }

        /** The module name for {@code --enable-native-access}; empty on the class path. */
        default Optional<String> moduleName() {
            return Optional.ofNullable(LibraryProbe.class.getModule().getName());
        }

        /** Loads a library, empty if that fails. Called only if native access is enabled. */
        default Optional<SymbolLookup> load(String name) {
            try {
                return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }
}
