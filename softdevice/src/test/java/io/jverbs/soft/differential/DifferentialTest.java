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
import org.junit.jupiter.api.Test;

/** The differential run on two devices of this kind, and that it can fail. */
final class DifferentialTest {

    private static final String TRUE_DEVICE = "soft";
    private static final String OTHER = "soft:soft1";

    /** Changes what a device answers. */
    private interface Lie {
        Object tell(Method method, Object[] arguments, Object answer);
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(Function<String, End> open, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--left", TRUE_DEVICE, "--right", OTHER));
        all.addAll(List.of(arguments));
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Differential.run(all, open, print, print);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Function<String, End> lying(Lie lie) {
        return selector -> selector.equals(OTHER) ? lying(LocalEnd.open(selector), lie) : LocalEnd.open(selector);
    }

    private static End lying(End end, Lie lie) {
        return (End) Proxy.newProxyInstance(End.class.getClassLoader(), new Class<?>[] {End.class},
                (proxy, method, arguments) -> {
                    try {
                        return lie.tell(method, arguments, method.invoke(end, arguments));
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

    /** The replay of the first difference consists of one step; answers the command line of the replay. */
    private String[] replay() {
        Matcher replay = Pattern.compile("replay: (--sequences 1 --seed [0-9]+ --steps [0-9]+)\n").matcher(output());
        assertTrue(replay.find(), () -> "no replay of one step in " + output());
        return (replay.group(1) + " --patience 500").split(" ");
    }

    @Test
    void twoDevicesOfThisKindDoTheSame() {
        assertEquals(0, run(LocalEnd::open, "--sequences", "300", "--seed", "1"), this::output);
        assertTrue(output().contains("sequences 300 "), this::output);
    }

    @Test
    void aFalseLengthOfACompletionIsFoundAndReplayed() {
        Lie lie = (method, arguments, answer) -> method.getName().startsWith("poll")
                ? ((List<?>) answer).stream().map(Wc.class::cast)
                        .map(wc -> wc.success() && wc.opcode() == WcOpcode.RDMA_READ ? longer(wc) : wc).toList()
                : answer;
        assertEquals(1, run(lying(lie), "--sequences", "10", "--seed", "1", "--patience", "500"), this::output);
        assertTrue(output().contains("details: RDMA_READ"), this::output);
        String[] replay = replay();
        out.reset();
        assertEquals(1, run(lying(lie), replay), this::output);
        out.reset();
        assertEquals(0, run(LocalEnd::open, replay), this::output);
    }

    @Test
    void aFalseByteOfMemoryIsFoundAndReplayed() {
        boolean[] added = new boolean[1];
        Lie lie = (method, arguments, answer) -> {
            if (method.getName().equals("write")) {
                added[0] = false;
            } else if (method.getName().equals("tryPostSend")) {
                added[0] |= ((List<?>) arguments[1]).stream().map(SendSpec.class::cast)
                        .anyMatch(send -> send.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD.code());
            } else if (method.getName().equals("read") && added[0]) {
                byte[] bytes = (byte[]) answer;
                bytes[bytes.length - 1] ^= 1;
            }
            return answer;
        };
        assertEquals(1, run(lying(lie), "--sequences", "10", "--seed", "1", "--patience", "500"), this::output);
        assertTrue(output().contains("memory: byte "), this::output);
        String[] replay = replay();
        out.reset();
        assertEquals(1, run(lying(lie), replay), this::output);
        out.reset();
        assertEquals(0, run(LocalEnd::open, replay), this::output);
    }

    @Test
    void whatItDoesNotUnderstandIsAnsweredWithItsUsage() {
        assertEquals(64, run(LocalEnd::open, "--sequence", "3"));
        assertTrue(output().contains("usage: Differential"), this::output);
    }
}
