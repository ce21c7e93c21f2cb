package io.jverbs.soft.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.contract.differential.Differential;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.end.local.LocalEnd;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the differential test on two software devices, and checks that it detects differences. */
final class DifferentialTest {

    private static final String REFERENCE = "soft";
    private static final String OTHER = "soft:soft1";

    /** Changes the results that a device returns. */
    private interface Falsifier {
        Object apply(Method method, Object[] arguments, Object result);
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(Function<String, End> open, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--left", REFERENCE, "--right", OTHER));
        all.addAll(List.of(arguments));
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Differential.run(all, open, print, print);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Function<String, End> falsify(Falsifier falsifier) {
        return selector -> selector.equals(OTHER)
                ? falsify(LocalEnd.open(selector), falsifier)
                : LocalEnd.open(selector);
    }

    private static End falsify(End end, Falsifier falsifier) {
        return (End) Proxy.newProxyInstance(End.class.getClassLoader(), new Class<?>[] {End.class},
                (proxy, method, arguments) -> {
                    try {
                        return falsifier.apply(method, arguments, method.invoke(end, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Wc longer(Wc wc) {
        return new Wc(wc.wrId(), wc.status(), wc.rawStatus(), wc.opcode(), wc.rawOpcode(), wc.vendorError(),
                wc.byteLength() + 1, wc.immediate(), wc.invalidatedRkey(), wc.qpNumber(), wc.sourceQp(), wc.flags(),
                wc.pkeyIndex(), wc.slid(), wc.serviceLevel(), wc.dlidPathBits());
    }

    /** Checks that the replay of the first difference has one sequence; returns the arguments of the replay. */
    private String[] replay() {
        Matcher replay = Pattern.compile("replay: (--sequences 1 --seed [0-9]+ --steps [0-9]+)\n").matcher(output());
        assertTrue(replay.find(), () -> "no replay of one sequence in " + output());
        return (replay.group(1) + " --patience 500").split(" ");
    }

    @Test
    void twoSoftwareDevicesBehaveAlike() {
        assertAlike(100, 1);
    }

    @Test
    @Tag("variants")
    void twoSoftwareDevicesBehaveAlikeInMoreSequences() {
        assertAlike(300, 2);
    }

    private void assertAlike(int sequences, int seed) {
        assertEquals(0, run(LocalEnd::open, "--sequences", "" + sequences, "--seed", "" + seed), this::output);
        assertTrue(output().contains("sequences " + sequences + " "), this::output);
    }

    @Test
    void aWrongByteLengthInACompletionIsFoundAndReplayed() {
        Falsifier falsifier = (method, arguments, result) -> method.getName().startsWith("poll")
                ? ((List<?>) result).stream().map(Wc.class::cast)
                        .map(wc -> wc.success() && wc.opcode() == WcOpcode.RDMA_READ ? longer(wc) : wc).toList()
                : result;
        assertEquals(1, run(falsify(falsifier), "--sequences", "10", "--seed", "1", "--patience", "500"), this::output);
        assertTrue(output().contains("details: RDMA_READ"), this::output);
        String[] replay = replay();
        out.reset();
        assertEquals(1, run(falsify(falsifier), replay), this::output);
        out.reset();
        assertEquals(0, run(LocalEnd::open, replay), this::output);
    }

    @Test
    @Tag("variants")
    void aWrongByteInMemoryIsFoundAndReplayed() {
        boolean[] added = new boolean[1];
        Falsifier falsifier = (method, arguments, result) -> {
            if (method.getName().equals("write")) {
                added[0] = false;
            } else if (method.getName().equals("tryPostSend")) {
                added[0] |= ((List<?>) arguments[1]).stream().map(SendSpec.class::cast)
                        .anyMatch(send -> send.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD.code());
            } else if (method.getName().equals("read") && added[0]) {
                byte[] bytes = (byte[]) result;
                bytes[bytes.length - 1] ^= 1;
            }
            return result;
        };
        assertEquals(1, run(falsify(falsifier), "--sequences", "10", "--seed", "1", "--patience", "500"), this::output);
        assertTrue(output().contains("memory: byte "), this::output);
        String[] replay = replay();
        out.reset();
        assertEquals(1, run(falsify(falsifier), replay), this::output);
        out.reset();
        assertEquals(0, run(LocalEnd::open, replay), this::output);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--sequence 3      | unknown option --sequence; allowed are --left, --right, --sequences, --seed, --deviations,"
                + " --steps, --shrink, --patience, --verbose",
        "--seed            | the value of --seed is missing",
        "--sequences x     | --sequences x is not an integer from 1 to 2147483647",
        "--sequences 0     | --sequences 0 is not an integer from 1 to 2147483647",
        "--seed 1.5        | --seed 1.5 is not an integer from -9223372036854775808 to 9223372036854775807",
        "--shrink -1       | --shrink -1 is not an integer from 0 to 2147483647",
        "--patience soon   | --patience soon is not an integer from 0 to 2147483647",
        "--steps 1,x       | --steps x is not an integer from 0 to 2147483647",
        "--deviations none2 | --deviations none2: there is no such table; allowed are none and the tables beside"
                + " Deviations.class"})
    void aWrongArgumentIsRefusedWithItsValueWhatIsAllowedAndTheUsage(String arguments, String sentence) {
        assertEquals(64, run(LocalEnd::open, arguments.split(" ")));
        assertTrue(output().startsWith(sentence + "; see CONTRIBUTING.md\nusage: Differential"), this::output);
    }
}
