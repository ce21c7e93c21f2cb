package io.jverbs.soft.linux;

import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import java.util.Set;

/** Determines whether this JVM may and can call {@link Libc}. It calls no restricted method. */
public final class Availability {
    private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

    private Availability() {}

    /** The properties of the machine and the JVM. Tests substitute their own. */
    interface Machine {
        Machine REAL = new Machine() {};

        default String system() {
            return System.getProperty("os.name");
        }

        default String architecture() {
            return System.getProperty("os.arch");
        }

        /** Returns whether restricted methods can be called without a warning or an exception. */
        default boolean nativeAccess() {
            return Availability.class.getModule().isNativeAccessEnabled();
        }

        /** Returns the module name for {@code --enable-native-access}; empty on the class path. */
        default Optional<String> moduleName() {
            return Optional.ofNullable(Availability.class.getModule().getName());
        }

        default Optional<SymbolLookup> libc() {
            try {
                return Optional.of(Linker.nativeLinker().defaultLookup());
            } catch (UnsupportedOperationException e) {
                return Optional.empty();
            }
        }
    }

    /** {@return why {@link Libc} cannot be called, or empty if it can} */
    public static Optional<String> obstacle() {
        return obstacle(Machine.REAL);
    }

    static Optional<String> obstacle(Machine machine) {
        if (!machine.system().equals("Linux")) {
            return Optional.of("the operating system is " + machine.system() + ", not Linux");
        }
        if (!ARCHITECTURES.contains(machine.architecture())) {
            return Optional.of("the architecture is " + machine.architecture()
                    + ": struct layouts are known for amd64 and aarch64");
        }
        if (!machine.nativeAccess()) {
            return Optional.of("native access is not enabled: start Java with --enable-native-access="
                    + machine.moduleName().orElse("ALL-UNNAMED"));
        }
        Optional<SymbolLookup> libc = machine.libc();
        if (libc.isEmpty()) {
            return Optional.of("this JVM does not support calls of native functions");
        }
        for (String function : Libc.FUNCTIONS) {
            if (libc.get().find(function).isEmpty()) {
                return Optional.of("the C library has no function " + function);
            }
        }
        return Optional.empty();
    }
}
