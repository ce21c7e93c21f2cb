package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * L42, L43: a receiver that posts a receive request every 100 us, and a sender that sends as fast as it can. The
 * credits keep the sender from sending messages that find no receive request. On the wire, the sockets are Java's, and
 * in an execution of the POM those of Linux.
 */
@Timeout(120)
final class SlowReceiverTest {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long INTERVAL_NANOS = 100_000;
    private static final int MESSAGES = 2_000;
    private static final int QUEUE = 64;
    private static final int BYTES = 64;
    /** The receive requests that are posted at first. */
    private static final int FIRST_RECEIVES = 4;

    private final WorkCompletions completions = WorkCompletions.create(16);
    private RdmaContext left;
    private RdmaContext right;
    private QueuePair sender;
    private QueuePair receiver;
    private CompletionQueue sent;
    private CompletionQueue received;
    private SharedReceiveQueue shared;
    private MemoryRegion target;
    private ReceiveWorkRequest receive;

    private void connect(String leftSelector, String rightSelector, boolean isShared) {
        left = Verbs.open(leftSelector);
        right = Verbs.open(rightSelector);
        ProtectionDomain leftPd = left.allocatePd();
        ProtectionDomain rightPd = right.allocatePd();
        sent = left.createCompletionQueue(2 * QUEUE);
        received = right.createCompletionQueue(2 * QUEUE);
        target = rightPd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        receive = ReceiveWorkRequest.create(1).sge(target, 0, BYTES);
        shared = isShared ? rightPd.createSharedReceiveQueue(SrqInitAttributes.of(QUEUE, 1)) : null;
        sender = leftPd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(sent).maxSendWr(QUEUE).build());
        receiver = rightPd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(received).srq(shared).maxRecvWr(QUEUE)
                .build());
        sender.connect(receiver.localInfo());
        receiver.connect(sender.localInfo());
    }

    private void postReceive() {
        if (shared == null) {
            receiver.postReceive(receive);
        } else {
            shared.postReceive(receive);
        }
    }

    private static Map<String, Long> counters(RdmaContext context) {
        return context.device().capability(DeviceCounters.class).orElseThrow().snapshot();
    }

    private void connectSimulated(boolean isShared) {
        connect("soft:sim0?seed=7&time=real", "soft:sim1?seed=7&time=real", isShared);
    }

    private void exchangeAll(WrOpcode opcode) {
        for (int i = 0; i < FIRST_RECEIVES; i++) {
            postReceive();
        }
        exchange(SendWorkRequest.create(1).opcode(opcode).flags(SendFlags.SIGNALED)
                .sge(sender.pd().allocate(BYTES, 0), 0, BYTES).remote(target.address(), target.rkey()));
        assertEquals(0, counters(left).get("invalid_msn"));
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    @ParameterizedTest
    @CsvSource({"wire, SEND", "wire, RDMA_WRITE_WITH_IMM", "simulated, SEND", "simulated, RDMA_WRITE_WITH_IMM"})
    void aSenderHardlyEverMeetsAnEmptyReceiveQueue(String network, WrOpcode opcode) {
        if (network.equals("wire")) {
            connect(LoopbackAddress.wired(), LoopbackAddress.wired(), false);
        } else {
            connectSimulated(false);
        }
        exchangeAll(opcode);
        long naks = counters(right).get("send_rnr_err");
        assertTrue(naks * 100 < MESSAGES, () -> naks + " RNR NAKs for " + MESSAGES + " messages");
        assertTrue(counters(left).get("rc_crwaits") > 0);
        assertTrue(counters(right).get("sent_credit_updates") > 0);
    }

    @Test
    void aSharedReceiveQueueStatesNoCredits() {
        connectSimulated(true);
        exchangeAll(WrOpcode.SEND);
        assertEquals(0, counters(left).get("rc_crwaits"));
        assertEquals(0, counters(right).get("sent_credit_updates"));
    }

    private void exchange(SendWorkRequest send) {
        long start = System.nanoTime();
        int posted = 0;
        int done = 0;
        int arrived = 0;
        int receives = FIRST_RECEIVES;
        long nextReceive = start;
        while (done < MESSAGES || arrived < MESSAGES) {
            long now = System.nanoTime();
            int soFar = arrived;
            assertTrue(now - start < DEADLINE_NANOS, () -> soFar + " messages have arrived");
            if (posted < MESSAGES && posted - done < QUEUE) {
                sender.postSend(send);
                posted++;
            }
            if (now - nextReceive >= 0 && receives - arrived < QUEUE) {
                postReceive();
                receives++;
                nextReceive = now + INTERVAL_NANOS;
            }
            done += poll(sent);
            arrived += poll(received);
        }
    }

    private int poll(CompletionQueue cq) {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            assertEquals(WcStatus.SUCCESS, completions.status(i));
        }
        return count;
    }
}
