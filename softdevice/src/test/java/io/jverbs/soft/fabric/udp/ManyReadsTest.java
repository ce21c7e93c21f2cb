package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many connections read over the wire at once: no more data is in flight than the reader's socket buffer holds. */
@Timeout(120)
final class ManyReadsTest {
    private static final int QUEUE_PAIRS = 64;
    private static final int BYTES = 8 << 20;
    private static final int MTU = 4096;
    private static final long PACKETS = (long) QUEUE_PAIRS * BYTES / MTU;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private static long unexpected(DeviceCounters reader) {
        return reader.snapshot().get("unexpected_response");
    }

    @Test
    void sixtyFourReadsOf8MiBRetransmitAlmostNothing() {
        String here = LoopbackAddress.wired();
        String there = LoopbackAddress.wired();
        try (RdmaContext reader = Verbs.open(here); RdmaContext source = Verbs.open(there)) {
            DeviceCounters counters = Verbs.select(here).capability(DeviceCounters.class).orElseThrow();
            ProtectionDomain readerPd = reader.allocatePd();
            ProtectionDomain sourcePd = source.allocatePd();
            CompletionQueue cq = reader.createCompletionQueue(QUEUE_PAIRS);
            MemoryRegion into = readerPd.allocate(BYTES, Access.LOCAL_WRITE);
            MemoryRegion from = sourcePd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
            for (int at = 0; at < BYTES; at += Long.BYTES) {
                from.segment().set(ValueLayout.JAVA_LONG, at, ~at);
            }
            List<QueuePair> all = connect(readerPd, cq, sourcePd, source.createCompletionQueue(1));
            SendWorkRequest read = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                    .sge(into, 0, BYTES).remote(from.address(), from.rkey());
            long before = unexpected(counters);
            all.forEach(qp -> qp.postSend(read));
            awaitAll(cq);

            assertEquals(-1, into.segment().mismatch(from.segment()));
            long unexpected = unexpected(counters) - before;
            // some are allowed, because a busy machine may not run a thread for longer than the timeout
            assertTrue(unexpected * 50 <= PACKETS, () -> unexpected + " unexpected response packets beside " + PACKETS);
        }
    }

    private static List<QueuePair> connect(ProtectionDomain reader, CompletionQueue cq, ProtectionDomain source,
            CompletionQueue unused) {
        List<QueuePair> all = new ArrayList<>();
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePair one = reader
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build());
            QueuePair other = source
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(unused).maxSendWr(1).maxRecvWr(1).build());
            one.connect(large(other.localInfo()));
            other.connect(large(one.localInfo()));
            all.add(one);
        }
        return all;
    }

    private static ConnectionInfo large(ConnectionInfo info) {
        return new ConnectionInfo(info.qpn(), info.psn(), info.gid(), Mtu.MTU_4096);
    }

    private static void awaitAll(CompletionQueue cq) {
        WorkCompletions completions = WorkCompletions.create(QUEUE_PAIRS);
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int completed = 0; completed < QUEUE_PAIRS;) {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                assertTrue(completions.isSuccess(i), completions::toString);
            }
            completed += count;
            int present = completed;
            assertTrue(System.nanoTime() < end, () -> present + " completed in time");
        }
    }
}
