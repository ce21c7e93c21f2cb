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
 * What is done with a seed.
 *
 * @param seed what all of it is drawn from
 * @param terms the attributes of queue pairs
 * @param steps the steps
 * @param numbers which of the steps that the seed gives they are
 */
record Script(long seed, Terms terms, List<Step> steps, List<Integer> numbers) {
    private static final int MOST_STEPS = 50;
    private static final int LEAST_STEPS = 8;
    private static final List<Mtu> MTUS = List.of(Mtu.MTU_256, Mtu.MTU_256, Mtu.MTU_256, Mtu.MTU_512, Mtu.MTU_512,
            Mtu.MTU_1024, Mtu.MTU_1024, Mtu.MTU_2048, Mtu.MTU_4096);
    /** One script in so many has messages that no window takes at once. */
    private static final int LONG_MESSAGES = 12;
    private static final int MANY_PACKETS = 20;
    private static final int FEW_PACKETS = 4;

    /** What happens when all steps are done. */
    enum End {
        /** All that was begun can end well. */
        GOOD,
        /** Who needs a receive request gets none. */
        STARVED,
        /** A cut of the link, in both directions, or one, that is longer than all retries. */
        CUT, CUT_THERE, CUT_BACK,
        /** All reliable connections send more than fits on the way at a time. */
        CROWDED
    }

    /**
     * The attributes of queue pairs, and what is the same throughout.
     *
     * @param packets how many packets the longest messages have
     */
    record Terms(Mtu mtu, int timeout, int retries, int rnrRetries, int rnrTimer, int reads, boolean wraps, int packets,
            End end) {
        private static final long ACK_UNIT = 4_096;
        private static final List<Integer> RNR_MICROS = List.of(655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320,
                480,
                640);

        /** How long the longest messages are. */
        int mostBytes() {
            return packets * mtu.bytes();
        }

        /** How long to wait for an acknowledgement at least; four times as long at most. */
        Duration ackTimeout() {
            return Duration.ofNanos(ACK_UNIT << timeout);
        }

        /** How long to wait for a receiver that is not ready. */
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
        int count = LEAST_STEPS + random.nextInt(MOST_STEPS - LEAST_STEPS);
        int flows = 1 + random.nextInt(World.FLOWS - 1);
        int firstFlow = random.nextInt(World.FLOWS);
        for (int i = 0; i < count; i++) {
            int flow = (firstFlow + random.nextInt(flows)) % World.FLOWS;
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
                    small ? random.nextInt(terms.mtu().bytes()) : terms.mostBytes());
        }
        if (what < 82 || !faults) {
            return new Step.Pass(1 << random.nextInt(22));
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
            default -> random.nextInt(random.nextInt(3) == 0 ? terms.mostBytes() : FEW_PACKETS * mtu);
        };
        int flags = random.nextInt(16);
        flags |= random.nextInt(40) == 0 ? Step.WRONG_KEY : 0;
        flags |= random.nextInt(60) == 0 ? Step.WRONG_LKEY : 0;
        flags |= random.nextInt(8) == 0 ? Step.WINDOW : 0;
        return new Step.Post(flow, kind, length, random.nextInt(1 << 16), flags);
    }

    /** The script with some of its steps, by their numbers. */
    Script only(List<Integer> which) {
        Script all = of(seed);
        TreeSet<Integer> chosen = new TreeSet<>(which);
        return new Script(seed, terms, chosen.stream().map(all.steps::get).toList(), List.copyOf(chosen));
    }

    /** The options of a command that does this again. */
    String replay() {
        return "-Djverbs.traffic.seed=" + seed + " -Djverbs.traffic.steps="
                + (numbers.isEmpty() ? "none" : numbers.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
}
