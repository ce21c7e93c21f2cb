package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** L43: receivers that post a receive request after a time, whose sender always has messages to send. */
final class SlowReceiverCreditsTest {
    private static final int MESSAGES = 200;
    private static final int BYTES = 64;
    /** The number of messages that are posted at a time. */
    private static final int POSTED = 16;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    /** The longest wait for credits, after which a request is sent without one. */
    private static final long LONGEST_WAIT_MILLIS = 655;

    /** The number of lossy networks. */
    private static final int SEEDS = 20;
    /** The ACK timeout, 2 ms. */
    private static final int TIMEOUT = 9;

    private ConnectedPair pair;
    private int posted;
    private int sent;
    private int receives;
    private int received;

    private void connect(int seed, String options) {
        pair = new ConnectedPair(QpType.RC, BYTES, "network=slow&time=stepped&delay=5us&seed=" + seed + options);
        posted = 0;
        sent = 0;
        receives = 0;
        received = 0;
    }

    /** Posts a receive request, and lets a time pass in which the sender always has messages. */
    private void receiveOne(Duration interval) {
        for (; posted < MESSAGES && posted - sent < POSTED; posted++) {
            pair.send(posted);
        }
        if (receives - received < POSTED) {
            pair.receive(receives++);
        }
        pair.network.advance(interval);
        for (; pair.hasSent(); sent++) {
            assertEquals(WcStatus.SUCCESS, pair.status());
        }
        for (; pair.hasReceived(); received++) {
            assertEquals(WcStatus.SUCCESS, pair.status());
        }
    }

    /** Posts a receive request each time until so many more messages are sent; returns the simulated time. */
    private Duration receive(int messages, Duration interval) {
        Duration start = pair.network.now();
        int target = sent + messages;
        while (sent < target) {
            receiveOne(interval);
        }
        return pair.network.now().minus(start);
    }

    private long refused() {
        return pair.counted(pair.right, "send_rnr_err");
    }

    /** The columns are the milliseconds between two receive requests, and the RNR NAKs for the first two messages. */
    @ParameterizedTest
    @CsvSource({"1, 2", "15, 11", "50, 13", "200, 16", "600, 18"})
    void aSenderMeetsAnEmptyReceiveQueueOnlyUntilItKnowsTheTime(int milliseconds, int naks) {
        connect(1, "");
        try {
            Duration interval = Duration.ofMillis(milliseconds);
            receiveOne(interval);
            receiveOne(interval);
            receiveOne(interval);
            long first = refused();
            assertTrue(first <= naks, () -> first + " RNR NAKs");
            int left = MESSAGES - sent;
            assertEquals(interval.multipliedBy(left), receive(left, interval));
            assertEquals(first, refused());
        } finally {
            pair.close();
        }
    }

    /**
     * A report that is lost after a pause of the receiver does not cost more than one before it, which is 20 ms; only
     * the first one may, for whose request the wait has become longer during the pause.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02, 0.1})
    void aPauseOfTheReceiverIsForgotten(double loss) {
        int slow = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            connect(seed, "&loss=" + loss);
            try {
                pair.one.modify(QpAttributes.builder().state(QpState.SQD).build());
                pair.one.modify(QpAttributes.builder().state(QpState.SQD).timeout(TIMEOUT).build());
                pair.one.modify(QpAttributes.builder().state(QpState.RTS).build());
                receive(50, MILLISECOND);
                receive(50, MILLISECOND);
                receiveOne(Duration.ofSeconds(1));
                long after = receive(50, MILLISECOND).toMillis();
                int failing = seed;
                assertTrue(after < 100 + LONGEST_WAIT_MILLIS, () -> failing + ": " + after + " ms");
                slow += after < 100 ? 0 : 1;
            } finally {
                pair.close();
            }
        }
        assertTrue(slow <= 1.5 * loss * SEEDS, slow + " of " + SEEDS + " networks were slow");
    }
}
