package io.jverbs.soft.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.differential.Differential;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.local.LocalEnd;
import io.jverbs.fault.FaultInjection;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.strict.StrictMode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the same random sequences of verbs calls within a device and on every other path. A program sees the same on
 * each: completions, results of calls, states, memory and asynchronous events. The resource {@code paths.txt} beside
 * {@link Differential} lists the exceptions.
 */
@Timeout(300)
final class PathsTest {
    private static final String WITHIN_A_DEVICE = "soft:soft30";
    /** One in so many sequences of the fixed seed runs. */
    private static final int ONE_IN = Integer.getInteger("jverbs.paths.oneIn", 1);
    private static final int FIXED = 1;
    private static final int NEW = 10;

    /** The path between the queue pairs, and how many sequences of the fixed seed take a second or two on it. */
    enum TestedPath {
        TWO_DEVICES(150),
        LAYERS(100),
        LAYERS_OF_TWO_DEVICES(100),
        WIRE(80),
        LAYERS_ON_WIRE(50),
        SIMULATED_DEVICE(
                60),
        SIMULATED(60),
        SIMULATED_IN_REAL_TIME(60);

        private final int sequences;

        TestedPath(int sequences) {
            this.sequences = sequences;
        }

        private boolean isLayered() {
            return name().startsWith("LAYERS");
        }

        private String selector() {
            return switch (this) {
                case TWO_DEVICES, LAYERS_OF_TWO_DEVICES -> "soft:soft31 and soft:soft32";
                case LAYERS -> "soft:soft33";
                case WIRE, LAYERS_ON_WIRE -> LoopbackAddress.wired() + " and " + LoopbackAddress.wired();
                case SIMULATED_DEVICE -> "soft:sim0?seed=1&network=paths-device";
                case SIMULATED -> simulated("paths");
                case SIMULATED_IN_REAL_TIME -> simulated("paths-real&time=real");
            };
        }

        private static String simulated(String network) {
            return "soft:sim0?seed=1&network=" + network + " and soft:sim1?seed=1&network=" + network;
        }

        private DeviceLayer[] layers() {
            return isLayered()
                    ? new DeviceLayer[] {FaultInjection.parse(FaultInjection.NO_RULES),
                        StrictMode.reporting(violation -> {})}
                    : new DeviceLayer[0];
        }
    }

    private static void assertAlike(TestedPath path, int sequences, long seed) {
        Function<String, End> open = selector -> selector.equals(WITHIN_A_DEVICE)
                ? LocalEnd.open(selector)
                : LocalEnd.open(selector, path.layers());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        List<String> arguments = List.of("--left", WITHIN_A_DEVICE, "--right", path.selector(), "--sequences",
                Integer.toString(sequences), "--seed", Long.toString(seed), "--deviations", "paths");
        int status = Differential.run(arguments, open, print, print);
        String output = out.toString(StandardCharsets.UTF_8);
        assertEquals(0, status, () -> path + ", seed " + seed + ":\n" + output);
        assertTrue(output.contains(" 0 sequences differ"), output);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramSeesTheSameOnEveryPath(TestedPath path) {
        assertAlike(path, path.sequences / ONE_IN, FIXED);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramSeesTheSameOnEveryPathInNewSequences(TestedPath path) {
        long seed = new Random().nextInt(1 << 30);
        System.out.println("PathsTest " + path + ": seed " + seed);
        assertAlike(path, NEW, seed);
    }
}
