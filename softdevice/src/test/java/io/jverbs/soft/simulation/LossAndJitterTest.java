package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links of 10 Gbit/s that lose packets at random, or delay each by another time: neither is caused by a queue. */
final class LossAndJitterTest {
    private static final int MESSAGE = 1 << 16;
    private static final int OUTSTANDING = 4;
    private static final double LINK_BYTES_PER_SECOND = 10e9 / 8;
    private static final Duration WARM_UP = Duration.ofMillis(100);
    private static final Duration MEASURED = Duration.ofMillis(200);
    private static final Duration STEP = Duration.ofNanos(50_000);

    private int completed;

    private void run(List<ConnectedPair> senders, Duration time) {
        ConnectedPair any = senders.getFirst();
        Duration end = any.network.now().plus(time);
        while (any.network.now().compareTo(end) < 0) {
            any.network.advance(STEP);
            for (ConnectedPair each : senders) {
                while (each.hasSent()) {
                    assertEquals(WcStatus.SUCCESS, each.status());
                    completed++;
                    each.write(each.one, 0);
                }
            }
        }
    }

    /**
     * The columns are the options of the links and the least part of each link that is used: about what a window that
     * ignores the round-trip time reaches, or less than that where it depends on the seed.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            loss=0.001,              0.9
            loss=0.01,               0.15
            jitter=20us,             0.9
            jitter=100us,            0.355
            jitter=20us&loss=0.001,  0.87
            jitter=20us&loss=0.01,   0.1
            jitter=100us&loss=0.001, 0.335
            jitter=100us&loss=0.01,  0.06
            """)
    void theWindowStaysLargeIfThereIsNoQueue(String options, double least) {
        for (int count : new int[] {1, 4}) {
            String network = "seed=5&network=faults" + count + "-" + options.replaceAll("[^a-z0-9.]", "-")
                    + "&time=stepped&delay=2us&bandwidth=10Gbit&congestion=window&" + options;
            List<ConnectedPair> senders = new ArrayList<>();
            try {
                for (int i = 0; i < count; i++) {
                    senders.add(pair(network, i + 1));
                }
                senders.forEach(LossAndJitterTest::start);
                run(senders, WARM_UP);
                completed = 0;
                run(senders, MEASURED);
                double part = completed * (double) MESSAGE / count / (MEASURED.toNanos() / 1e9) / LINK_BYTES_PER_SECOND;
                assertTrue(part >= least, () -> count + " senders: " + part);
            } finally {
                senders.forEach(ConnectedPair::close);
            }
        }
    }

    /** Each sender has a device of its own; the devices of the receivers are the same. */
    private static ConnectedPair pair(String network, int number) {
        RdmaContext sender = Verbs.open("soft:sim" + number + "?" + network);
        return new ConnectedPair(QpType.RC, MESSAGE, sender, Verbs.open("soft:sim0?" + network));
    }

    private static void start(ConnectedPair sender) {
        QueuePair qp = sender.one;
        for (int i = 0; i < OUTSTANDING; i++) {
            sender.write(qp, i);
        }
    }
}
