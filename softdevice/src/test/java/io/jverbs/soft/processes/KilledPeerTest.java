package io.jverbs.soft.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.faults.Connector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process is killed while it has connections: catalogue entries F29 and F30. Its peers get an error in time, and
 * their other connections keep working.
 */
@Timeout(120)
class KilledPeerTest {
    private static final int QUEUE_PAIRS = 10;
    /** The local ACK timeout, 67 ms. */
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 3;
    private static final long LEAST_NANOS = (RETRIES + 1) * (4096L << TIMEOUT);
    /** F29 allows four times as long; two seconds more because the machine may be busy. */
    private static final long MOST_NANOS = 4 * LEAST_NANOS + TimeUnit.SECONDS.toNanos(2);
    private static final long TIMEOUT_SECONDS = 30;

    private final List<Writer> writers = new ArrayList<>();

    /** A queue pair that writes continuously, one request after the other. */
    private static final class Writer {
        private final QueuePair qp;
        private final SendWorkRequest request;
        private long done;
        private long latest;
        private long failed;
        private WcStatus status = WcStatus.SUCCESS;

        Writer(QueuePair qp, SendWorkRequest request) {
            this.qp = qp;
            this.request = request;
        }

        @Override
        public String toString() {
            return done + " completed, " + status;
        }

        void post() {
            latest = System.nanoTime();
            qp.postSend(request);
        }
    }

    @Test
    void peersOfKilledProcessGetRetryExceededInTimeAndOtherConnectionsKeepWorking() throws Exception {
        try (PeerProcess victim = PeerProcess.start(Target.class, "soft:" + LoopbackAddress.next(),
                Integer.toString(QUEUE_PAIRS));
                PeerProcess survivor = PeerProcess.start(Target.class, "soft:" + LoopbackAddress.next(),
                        Integer.toString(QUEUE_PAIRS));
                RdmaContext context = Verbs.open("soft:" + LoopbackAddress.next())) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(4 * QUEUE_PAIRS);
            MemoryRegion region = pd.allocate(Target.SIZE, Access.LOCAL_WRITE);
            connect(victim.control(), pd, cq, region);
            connect(survivor.control(), pd, cq, region);
            List<Writer> ofVictim = writers.subList(0, QUEUE_PAIRS);
            List<Writer> ofSurvivor = writers.subList(QUEUE_PAIRS, 2 * QUEUE_PAIRS);
            writers.forEach(Writer::post);
            serveUntil(cq, () -> writers.stream().allMatch(each -> each.done > 100));

            victim.kill();
            serveUntil(cq, () -> ofVictim.stream().allMatch(each -> each.failed != 0));
            for (Writer each : ofVictim) {
                assertEquals(WcStatus.RETRY_EXC_ERR, each.status);
                assertEquals(QpState.ERR, each.qp.state());
                long took = each.failed - each.latest;
                assertTrue(took >= LEAST_NANOS && took <= MOST_NANOS,
                        "failed after " + took + " ns, expected " + LEAST_NANOS + " to " + MOST_NANOS);
            }
            long[] before = ofSurvivor.stream().mapToLong(each -> each.done).toArray();
            serveUntil(cq,
                    () -> ofSurvivor.stream().allMatch(each -> each.done > before[ofSurvivor.indexOf(each)] + 100));
            assertTrue(ofSurvivor.stream().allMatch(each -> each.failed == 0),
                    "a connection to the surviving process failed");
            survivor.control().barrier();
        }
    }

    private void connect(PeerProcess.ControlChannel control, ProtectionDomain pd, CompletionQueue cq,
            MemoryRegion region) throws IOException {
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            ConnectionInfo own = qp.localInfo();
            Target.Place target = Target.Place.exchange(control, own, region);
            Connector.connect(qp, own.psn(), target.peer(), TIMEOUT, RETRIES);
            writers.add(new Writer(qp,
                    SendWorkRequest.create(1).wrId(writers.size()).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                            .sge(region, 0, Target.SIZE).remote(target.address(), target.rkey())));
        }
        control.barrier();
    }

    private void serveUntil(CompletionQueue cq, BooleanSupplier reached) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        WorkCompletions completions = WorkCompletions.create(QUEUE_PAIRS);
        while (!reached.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0,
                    () -> "condition not reached within " + TIMEOUT_SECONDS + " s: " + writers);
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                Writer writer = writers.get((int) completions.wrId(i));
                if (completions.isSuccess(i)) {
                    writer.done++;
                    writer.post();
                } else {
                    writer.status = completions.status(i);
                    writer.failed = System.nanoTime();
                }
            }
        }
    }
}
