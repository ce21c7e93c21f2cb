package io.jverbs.soft.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks that each obstacle to native calls is named. The machine is simulated, so the tests run on any system. */
final class AvailabilityTest {

    /** A machine without obstacles. */
    private static class ValidMachine implements Availability.Machine {
        @Override
        public String system() {
            return "Linux";
        }

        @Override
        public String architecture() {
            return "aarch64";
        }

        @Override
        public boolean nativeAccess() {
            return true;
        }

        @Override
        public Optional<String> moduleName() {
            return Optional.of("io.jverbs.soft");
        }

        @Override
        public Optional<SymbolLookup> libc() {
            return Optional.of(name -> Optional.of(MemorySegment.NULL));
        }
    }

    private static void assertObstacle(String reason, Availability.Machine machine) {
        assertEquals(Optional.of(reason), Availability.obstacle(machine));
    }

    @Test
    void aSupportedLinuxHasNoObstacle() {
        assertEquals(Optional.empty(), Availability.obstacle(new ValidMachine()));
    }

    @Test
    void anotherOperatingSystemIsReported() {
        assertObstacle("the operating system is Mac OS X, not Linux", new ValidMachine() {
            @Override
            public String system() {
                return "Mac OS X";
            }
        });
    }

    @Test
    void anUnsupportedArchitectureIsReported() {
        assertObstacle("the architecture is s390x: struct layouts are known for amd64 and aarch64", new ValidMachine() {
            @Override
            public String architecture() {
                return "s390x";
            }
        });
    }

    @Test
    void missingNativeAccessIsReportedWithTheOptionForTheModule() {
        assertObstacle("native access is not enabled: start Java with --enable-native-access=io.jverbs.soft",
                new ValidMachine() {
                    @Override
                    public boolean nativeAccess() {
                        return false;
                    }
                });
    }

    @Test
    void aJvmWithoutNativeLinkerIsReported() {
        assertObstacle("this JVM does not support calls of native functions", new ValidMachine() {
            @Override
            public Optional<SymbolLookup> libc() {
                return Optional.empty();
            }
        });
    }

    @Test
    void aMissingFunctionIsReported() {
        assertObstacle("the C library has no function eventfd", new ValidMachine() {
            @Override
            public Optional<SymbolLookup> libc() {
                return Optional.of(
                        name -> name.equals("eventfd") ? Optional.empty() : Optional.of(MemorySegment.NULL));
            }
        });
    }
}
