package io.jverbs.soft.traffic;

import io.jverbs.Mtu;
import io.jverbs.soft.traffic.Step.Fault;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The random sequence of steps that a seed determines.
 *
 * @param seed the seed of all random choices
 * @param terms the attributes of queue pairs
 * @param steps the steps
 * @param numbers the numbers of these steps among all steps of the seed
 */
record Script(long seed, Terms terms, List<Step> steps, List<Integer> numbers) {
    private static final int MAX_STEPS = 50;
    private static final int MIN_STEPS = 8;
    private static final List<Mtu> MTUS = List.of(Mtu.MTU_256, Mtu.MTU_256, Mtu.MTU_256, Mtu.MTU_512, Mtu.MTU_512,
            Mtu.MTU_1024, Mtu.MTU_1024, Mtu.MTU_2048, Mtu.MTU_4096);
    /** One script in this many has messages that exceed every window. */
    private static final int LONG_MESSAGES = 12;
    private static final int MANY_PACKETS = 20;
    private static final int FEW_PACKETS = 4;

    /** What happens after all steps. */
    enum End {
        /** All requests can succeed. */
        GOOD,
        /** Receive requests that are missing are not posted. */
        NO_RECEIVES,
        /** The link is cut in both directions or in one, for longer than all retries. */
        CUT,
        CUT_FORWARD,
        CUT_BACKWARD,
        /** All reliable connections send more than the windows allow to be in flight. */
        CONGESTED
    }

    /**
     * The attributes of queue pairs, and other values that are the same for the whole script.
     *
     * @param mtu the path MTU
     * @param timeout the local ACK timeout, as the exponent of its encoding
     * @param retries the retry_cnt
     * @param rnrRetries the rnr_retry
     * @param rnrTimer the min_rnr_timer, encoded
     * @param reads the max_rd_atomic
     * @param wraps whether PSNs start near their maximum
     * @param packets the number of packets of the longest messages
     * @param end what happens after all steps
     */
    record Terms(Mtu mtu, int timeout, int retries, int rnrRetries, int rnrTimer, int reads, boolean wraps, int packets,
            End end) {
        private static final long ACK_UNIT = 4_096;
        private static final List<Integer> RNR_MICROS = List.of(655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320,
                480,
                640);

        /** The length of the longest messages. */
        int maxBytes() {
            return packets * mtu.bytes();
        }

        /** The shortest wait for an acknowledgement; the longest is four times as long. */
        Duration ackTimeout() {
            return Duration.ofNanos(ACK_UNIT << timeout);
        }

        /** The wait after an RNR NAK. */
        Duration rnrWait() {
            return Duration.ofNanos(RNR_MICROS.get(rnrTimer) * 1_000L);
        }
    }

    static Script of(long seed) {
        Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L + 1);
        Mtu mtu = MTUS.get(random.nextInt(MTUS.size()));
        int packets = random.nextInt(LONG_MESSAGES) == 0 ? MANY_PACKETS : FEW_PACKETS;
        Terms terms = new Terms(mtu, 8 + random.nextInt(3), random.nextInt(8), List.of(0, 1, 3, 7, 7, 7)
                .get(random.nextInt(6)), 1 + random.nextInt(12), 1 + random.nextInt(4), random.nextInt(4) == 0,
                packets, random.nextInt(4) == 0 ? End.values()[random.nextInt(End.values().length)] : End.GOOD);
        List<Step> steps = new ArrayList<>();
        boolean faults = random.nextInt(5) != 0;
        int count = MIN_STEPS + random.nextInt(MAX_STEPS - MIN_STEPS);
        int flows = 1 + random.nextInt(ScriptRunner.FLOWS - 1);
        int firstFlow = random.nextInt(ScriptRunner.FLOWS);
        for (int i = 0; i < count; i++) {
            int flow = (firstFlow + random.nextInt(flows)) % ScriptRunner.FLOWS;
            steps.add(step(random, flow, terms, faults));
        }
        return new Script(seed, terms, steps, IntStream.range(0, count).boxed().toList());
    }

    private static Step step(Random random, int flow, Terms terms, boolean faults) {
        int what = random.nextInt(100);
        if (what < 50) {
            return post(random, flow, terms);
        }
        if (what < 68) {
            boolean small = random.nextInt(20) == 0;
            return new Step.Receive(flow, 1 + random.nextInt(4),
                    small ? random.nextInt(terms.mtu().bytes()) : terms.maxBytes());
        }
        if (what < 82 || !faults) {
            return new Step.Advance(1 << random.nextInt(22));
        }
        if (what < 96) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            return new Step.Change(fault, random.nextInt(3), random.nextInt(1, 30) / 100.0, random.nextInt(1 << 20));
        }
        return what < 98 ? new Step.Cut(random.nextInt(3)) : new Step.Heal();
    }

    private static Step post(Random random, int flow, Terms terms) {
        int mtu = terms.mtu().bytes();
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        int length = switch (random.nextInt(5)) {
            case 0 -> random.nextInt(3) == 0 ? 0 : random.nextInt(17);
            case 1 -> mtu * (1 + random.nextInt(3)) + random.nextInt(-1, 2);
            default -> random.nextInt(random.nextInt(3) == 0 ? terms.maxBytes() : FEW_PACKETS * mtu);
        };
        int flags = random.nextInt(16);
        flags |= random.nextInt(40) == 0 ? Step.WRONG_KEY : 0;
        flags |= random.nextInt(60) == 0 ? Step.WRONG_LKEY : 0;
        flags |= random.nextInt(8) == 0 ? Step.WINDOW : 0;
        return new Step.Post(flow, kind, length, random.nextInt(1 << 16), flags);
    }

    /** Returns the script with only the given steps. */
    Script only(List<Integer> which) {
        Script all = of(seed);
        TreeSet<Integer> chosen = new TreeSet<>(which);
        return new Script(seed, terms, chosen.stream().map(all.steps::get).toList(), List.copyOf(chosen));
    }

    /** Returns the system properties that repeat this script. */
    String replay() {
        return "-Djverbs.traffic.seed=" + seed + " -Djverbs.traffic.steps="
                + (numbers.isEmpty() ? "none" : numbers.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
}
