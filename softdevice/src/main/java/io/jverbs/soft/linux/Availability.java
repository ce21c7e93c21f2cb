package io.jverbs.soft.linux;

import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import java.util.Set;

/** Whether this JVM may and can call {@link Libc}. Calls nothing that is restricted. */
public final class Availability {
    private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

    private Availability() {}

    /** What is asked of the machine and the JVM; a test has others. */
    interface Machine {
        Machine REAL = new Machine() {};

        default String system() {
            return System.getProperty("os.name");
        }

        default String architecture() {
            return System.getProperty("os.arch");
        }

        /** Whether restricted methods can be called without a warning or an exception. */
        default boolean nativeAccess() {
            return Availability.class.getModule().isNativeAccessEnabled();
        }

        /** The name that {@code --enable-native-access} takes; empty on the class path. */
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

    /** {@return what stands against it, or empty} */
    public static Optional<String> obstacle() {
        return obstacle(Machine.REAL);
    }

    static Optional<String> obstacle(Machine machine) {
        if (!machine.system().equals("Linux")) {
            return Optional.of("this is " + machine.system());
        }
        if (!ARCHITECTURES.contains(machine.architecture())) {
            return Optional.of("the layouts of its structs are known for amd64 and aarch64, and this is "
                    + machine.architecture());
        }
        if (!machine.nativeAccess()) {
            return Optional.of("native access is not enabled: start Java with --enable-native-access="
                    + machine.moduleName().orElse("ALL-UNNAMED"));
        }
        Optional<SymbolLookup> libc = machine.libc();
        if (libc.isEmpty()) {
            return Optional.of("this JVM cannot call C");
        }
        for (String function : Libc.FUNCTIONS) {
            if (libc.get().find(function).isEmpty()) {
                return Optional.of("the C library has no function " + function);
            }
        }
        return Optional.empty();
    }
}
