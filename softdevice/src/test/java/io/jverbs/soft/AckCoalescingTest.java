package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The coalescing of acknowledgements on the wire. While two peers alternate requests, one acknowledgement covers
 * several messages, and none is sent too late. Catalogue items L35 and F30.
 */
@Timeout(120)
final class AckCoalescingTest {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int MESSAGES = 1000;

    private final PairOfQueuePairs pair = new PairOfQueuePairs(LoopbackAddress.wired(), LoopbackAddress.wired(),
            QpType.RC);
    private final WorkCompletions completions = WorkCompletions.create(16);
    private final Progress left = new Progress(pair.left);
    private final Progress right = new Progress(pair.right);

    @AfterEach
    void close() {
        pair.close();
    }

    /** Posts and polls on one side, and counts what was posted, sent and received there. */
    private final class Progress {
        private final PairOfQueuePairs.Side side;
        private final SendWorkRequest send;
        private int posted;
        private int sent;
        private int received;

        Progress(PairOfQueuePairs.Side side) {
            this.side = side;
            send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(side.memory, 0, 64);
            for (int i = 0; i < 8; i++) {
                side.postReceive(64);
            }
        }

        void post() {
            side.qp.postSend(send);
            posted++;
        }

        void poll() {
            int count = side.cq.poll(completions);
            for (int i = 0; i < count; i++) {
                assertEquals(WcStatus.SUCCESS, completions.status(i));
                if (completions.opcode(i) == WcOpcode.SEND) {
                    sent++;
                } else {
                    received++;
                    side.postReceive(64);
                }
            }
        }

        void awaitReceived(int count) {
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (received < count) {
                assertTrue(System.nanoTime() < deadline, () -> received + " received, not " + count);
                poll();
            }
        }

        long packets() {
            Map<String, Long> counters = side.context.device().capability(DeviceCounters.class).orElseThrow()
                    .queuePairs().stream().filter(each -> each.number() == side.qp.number()).findFirst().orElseThrow()
                    .counters();
            return counters.get("sent_pkts");
        }
    }

    private void alternate(int messages) {
        for (int i = 0; i < messages; i++) {
            left.post();
            right.awaitReceived(left.posted);
            right.post();
            left.awaitReceived(right.posted);
        }
    }

    /** Waits until all sends have completed, and so are acknowledged. */
    private void awaitSent() {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (left.sent < left.posted || right.sent < right.posted) {
            assertTrue(System.nanoTime() < deadline,
                    () -> left.sent + " and " + right.sent + " sent of " + left.posted + " and " + right.posted);
            left.poll();
            right.poll();
        }
    }

    @Test
    void alternatingRequestsHaveOneAcknowledgementForSeveralMessages() {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        long acknowledgements;
        do {
            // on a busy machine the devices' own threads may receive the messages, and they hold no acknowledgements
            assertTrue(System.nanoTime() < deadline, "there was always more than one acknowledgement for two messages");
            long before = left.packets();
            alternate(MESSAGES);
            acknowledgements = left.packets() - before - MESSAGES;
        } while (acknowledgements * 2 > MESSAGES);
        awaitSent();
    }

    @Test
    void theLastMessagesAreAcknowledgedEvenIfTheirReceiverStopsPolling() {
        alternate(MESSAGES);
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (left.sent < left.posted) {
            assertTrue(System.nanoTime() < deadline, () -> left.sent + " sent of " + left.posted);
            left.poll();
        }
    }
}
