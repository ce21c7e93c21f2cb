package io.jverbs.soft.device;

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
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ten thousand queue pairs or regions at once: all work, all have their own numbers, and creation is fast. */
final class ManyObjectsTest {
    private static final int MANY = 10_000;
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE;

    @Test
    void tenThousandConnectedQueuePairsEachWriteTheirOwnWord() {
        try (RdmaContext context = Verbs.open("soft")) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(64);
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(4).build();
            List<QueuePair> all = new ArrayList<>();
            Set<Integer> numbers = new HashSet<>();
            for (int i = 0; i < MANY; i++) {
                all.add(pd.createQueuePair(init));
                numbers.add(all.get(i).number());
            }
            assertEquals(MANY, numbers.size());
            MemoryRegion source = pd.allocate(MANY * Long.BYTES, ACCESS);
            MemoryRegion target = pd.allocate(MANY * Long.BYTES, ACCESS);
            SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED);
            WorkCompletions completions = WorkCompletions.create(1);
            for (int i = 0; i < MANY; i += 2) {
                QueuePair from = all.get(i);
                QueuePair to = all.get(i + 1);
                from.connect(to.localInfo());
                to.connect(from.localInfo());
                long offset = i * Long.BYTES;
                source.segment().set(ValueLayout.JAVA_LONG, offset, i + 1);
                from.postSend(
                        write.wrId(i).sge(source, offset, Long.BYTES).remote(target.address() + offset, target.rkey()));
                assertEquals(1, cq.poll(completions));
                assertEquals(WcStatus.SUCCESS, completions.status(0));
                assertEquals(i + 1, target.segment().get(ValueLayout.JAVA_LONG, offset));
            }
        }
    }

    @Test
    void tenThousandRegionsHaveDifferentKeys() {
        try (RdmaContext context = Verbs.open("soft")) {
            ProtectionDomain pd = context.allocatePd();
            MemoryRegion whole = pd.allocate(MANY * Long.BYTES, ACCESS);
            Set<Integer> keys = new HashSet<>();
            List<MemoryRegion> regions = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                regions.add(pd.registerMemory(whole.segment().asSlice(i * Long.BYTES, Long.BYTES), ACCESS));
                keys.add(regions.get(i).rkey());
            }
            assertEquals(MANY, keys.size());
            regions.forEach(MemoryRegion::close);
        }
    }

    @Test
    void creatingAndClosingAQueuePairTakesMicroseconds() {
        try (RdmaContext context = Verbs.open("soft")) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(64);
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(16).maxRecvWr(16).build();
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 20; round++) {
                long start = System.nanoTime();
                for (int i = 0; i < 500; i++) {
                    pd.createQueuePair(init).close();
                }
                best = Math.min(best, (System.nanoTime() - start) / 500);
            }
            // an arena for each queue pair would take 100 us; the best of many rounds is not affected by a busy machine
            assertTrue(best < 50_000, "creating and closing a queue pair took " + best + " ns at best");
        }
    }
}
