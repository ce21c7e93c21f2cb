package io.jverbs.soft.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each thing that can stand against calling Linux is named; on this machine, of which nothing is asked. */
final class AvailabilityTest {

    /** A machine where nothing stands against it. */
    private static class Good implements Availability.Machine {
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
    void nothingStandsAgainstALinuxThatIsKnown() {
        assertEquals(Optional.empty(), Availability.obstacle(new Good()));
    }

    @Test
    void anotherSystemIsNamed() {
        assertObstacle("this is Mac OS X", new Good() {
            @Override
            public String system() {
                return "Mac OS X";
            }
        });
    }

    @Test
    void anotherArchitectureIsNamed() {
        assertObstacle("the layouts of its structs are known for amd64 and aarch64, and this is s390x", new Good() {
            @Override
            public String architecture() {
                return "s390x";
            }
        });
    }

    @Test
    void theOptionThatGivesNativeAccessNamesTheModule() {
        assertObstacle("native access is not enabled: start Java with --enable-native-access=io.jverbs.soft",
                new Good() {
                    @Override
                    public boolean nativeAccess() {
                        return false;
                    }
                });
    }

    @Test
    void aJvmThatCannotCallCIsNamed() {
        assertObstacle("this JVM cannot call C", new Good() {
            @Override
            public Optional<SymbolLookup> libc() {
                return Optional.empty();
            }
        });
    }

    @Test
    void aMissingFunctionIsNamed() {
        assertObstacle("the C library has no function eventfd", new Good() {
            @Override
            public Optional<SymbolLookup> libc() {
                return Optional.of(
                        name -> name.equals("eventfd") ? Optional.empty() : Optional.of(MemorySegment.NULL));
            }
        });
    }
}
