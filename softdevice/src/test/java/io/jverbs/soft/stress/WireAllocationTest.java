package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.LoopbackAddress;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Sending and receiving packets over UDP allocates nothing while they come from one address, neither in the polling
 * thread nor in the engine's threads.
 */
@Isolated("its threads spin on both processors")
class WireAllocationTest {
    private static final int SIZE = 10_000;
    private static final int WARM_UP = 20_000;
    private static final int MESSAGES = 10_000;
    /** The size of the smallest object. One per packet would be four per message. */
    private static final long OBJECT_BYTES = 16;
    /**
     * The allocation of a device's thread when it blocks, which it does for at least 1 ms. It matters on a busy
     * machine.
     */
    private static final long BYTES_PER_MILLISECOND = 64;
    private static final long SECONDS = 60;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final WorkCompletions completions = WorkCompletions.create(4);

    /** One end of the connection; one thread uses both. */
    private record End(QueuePair qp, CompletionQueue cq, SendWorkRequest send, ReceiveWorkRequest receive) {
        static End of(RdmaContext context) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(16);
            MemoryRegion memory = pd.allocate(2 * SIZE, Access.LOCAL_WRITE);
            return new End(
                    pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(4).build()),
                    cq,
                    SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, SIZE),
                    ReceiveWorkRequest.create(1).sge(memory, SIZE, SIZE));
        }
    }

    @Test
    void messagesInBothDirectionsAllocateNothing() {
        try (RdmaContext left = Verbs.open(LoopbackAddress.wired());
                RdmaContext right = Verbs.open(LoopbackAddress.wired())) {
            End a = End.of(left);
            End b = End.of(right);
            ConnectionInfo ofA = a.qp().localInfo();
            a.qp().connect(b.qp().localInfo());
            b.qp().connect(ofA);
            exchange(a, b, WARM_UP);
            long[] threads = devicesThreads();
            long start = System.nanoTime();
            long before = allocated(threads);
            exchange(a, b, MESSAGES);
            long bytes = allocated(threads) - before;
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

            assertTrue(threads.length >= 2, "each device has a thread");

            // a message is at least three packets and an acknowledgement
            assertTrue(bytes < OBJECT_BYTES * 2 * MESSAGES + BYTES_PER_MILLISECOND * millis,
                    bytes + " bytes for " + 2 * MESSAGES + " messages in " + millis + " ms");
        }
    }

    private void exchange(End a, End b, int count) {
        for (int i = 0; i < count; i++) {
            sendMessage(a, b);
            sendMessage(b, a);
        }
    }

    private void sendMessage(End from, End to) {
        to.qp().postReceive(to.receive());
        from.qp().postSend(from.send());
        await(to.cq());
        await(from.cq());
    }

    private void await(CompletionQueue cq) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (cq.poll(completions) == 0) {
            assertTrue(System.nanoTime() - end < 0, "no completion within " + SECONDS + " s");
        }
        assertTrue(completions.isSuccess(0), "a completion in error");
    }

    private static long[] devicesThreads() {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().startsWith("jverbs-soft"))
                .mapToLong(Thread::threadId).toArray();
    }

    /** Returns the bytes allocated by this thread and by those of the devices. */
    private static long allocated(long[] threads) {
        long sum = THREADS.getCurrentThreadAllocatedBytes();
        for (long thread : threads) {
            sum += THREADS.getThreadAllocatedBytes(thread);
        }
        return sum;
    }
}
