package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * L43: a receiver that posts a receive request every 100 us, and a sender of random requests, over networks that lose,
 * repeat and delay packets, among them those with credits.
 */
final class CreditsUnderLossTest {
    private static final int SEEDS = 20;
    private static final int MESSAGES = 300;
    private static final int BYTES = 4 * 1024;
    /** The number of requests that are posted at a time. */
    private static final int POSTED = 32;
    /** The ACK timeout, 2 ms. */
    private static final int TIMEOUT = 9;
    private static final Duration INTERVAL = Duration.ofNanos(100_000);
    private static final WrOpcode[] OPCODES = {WrOpcode.SEND, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.RDMA_WRITE,
        WrOpcode.RDMA_READ};

    /** Posts a random request; returns whether it takes a receive request. */
    private static boolean post(ConnectedPair pair, Random random, int id) {
        WrOpcode opcode = OPCODES[random.nextInt(OPCODES.length)];
        int bytes = random.nextBoolean() ? 8 : 1 + random.nextInt(BYTES);
        pair.one.postSend(SendWorkRequest.create(1).wrId(id).opcode(opcode).flags(SendFlags.SIGNALED)
                .sge(pair.source, 0, bytes).remote(pair.target.address(), pair.target.rkey()));
        return opcode == WrOpcode.SEND || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    /** Sends the requests; returns the simulated time. Each request succeeds, and each message arrives once. */
    private static Duration exchange(ConnectedPair pair, Random random) {
        Duration start = pair.network.now();
        int posted = 0;
        int sent = 0;
        int messages = 0;
        int receives = 0;
        int received = 0;
        while (sent < MESSAGES || received < messages) {
            assertTrue(pair.network.now().minus(start).compareTo(ConnectedPair.LONG) < 0, sent + " requests");
            while (posted < MESSAGES && posted - sent < POSTED) {
                messages += post(pair, random, posted++) ? 1 : 0;
            }
            if (receives - received < POSTED) {
                pair.receive(receives++);
            }
            pair.network.advance(INTERVAL);
            for (; pair.hasSent(); sent++) {
                assertEquals(WcStatus.SUCCESS, pair.status());
                assertEquals(sent, pair.completions.wrId(0));
            }
            for (; pair.hasReceived(); received++) {
                assertEquals(WcStatus.SUCCESS, pair.status());
                assertEquals(received, pair.completions.wrId(0));
            }
        }
        return pair.network.now().minus(start);
    }

    /**
     * The columns are the options of the network, the maximum number of RNR NAKs, and the milliseconds of simulated
     * time within which all requests complete. A lost ACK with credits costs up to 20 ms, and a lost packet up to the
     * ACK timeout.
     */
    @ParameterizedTest
    @CsvSource({"loss=0, 2, 20", "duplicate=0.1, 2, 20", "'reorder=0.05,300us', 6, 30", "loss=0.02, 6, 150",
        "'loss=0.1&duplicate=0.1&reorder=0.1,1ms', 10, 400"})
    void aSenderWithCreditsMeetsFewEmptyReceiveQueuesAndDoesNotStop(String options, int naks, int milliseconds) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            String selector = "network=credits&time=stepped&delay=5us&seed=" + seed + "&" + options;
            try (ConnectedPair pair = new ConnectedPair(QpType.RC, BYTES, selector)) {
                pair.one.modify(QpAttributes.builder().state(QpState.SQD).build());
                pair.one.modify(QpAttributes.builder().state(QpState.SQD).timeout(TIMEOUT).build());
                pair.one.modify(QpAttributes.builder().state(QpState.RTS).build());
                Duration passed = exchange(pair, new Random(seed));
                assertTrue(passed.toMillis() < milliseconds, () -> selector + ": " + passed);
                long refused = pair.counted(pair.right, "send_rnr_err");
                assertTrue(refused <= naks, () -> selector + ": " + refused + " RNR NAKs");
                assertEquals(0, pair.counted(pair.left, "invalid_msn"), selector);
            }
        }
    }
}
