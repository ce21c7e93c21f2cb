package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Interrupts the thread that waits in the kernel for events of the native device. {@link NativeDataPathTest} runs it.
 */
class OnInterruptedPoller {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static Thread poller() {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().endsWith("-events"))
                .findAny().orElse(null);
    }

    @Test
    void itDeliversEventsAndSleepsAfterAnInterrupt() throws Exception {
        try (RdmaContext context = Verbs.select("stub").open()) {
            CompletionChannel channel = context.createCompletionChannel();
            CompletionQueue cq = context.createCompletionQueue(16, channel);
            QueuePair qp = context.allocatePd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
            WorkCompletions done = WorkCompletions.create(1);
            for (int i = 0; i < 20; i++) {
                cq.requestNotification(false);
                FutureTask<CompletionQueue> waiter = new FutureTask<>(() -> channel.awaitEvent(LONG));
                Thread.ofPlatform().daemon().start(waiter);
                while (poller() == null) {
                    Thread.onSpinWait();
                }
                poller().interrupt();
                assertEquals(0, qp.tryPostSend(SendWorkRequest.create(0).flags(SendFlags.SIGNALED)));
                assertSame(cq, waiter.get(LONG.toSeconds(), TimeUnit.SECONDS));
                cq.acknowledgeEvents(1);
                assertEquals(1, cq.poll(done));
            }
            Thread poller = poller();
            poller.interrupt();
            long before = ManagementFactory.getThreadMXBean().getThreadCpuTime(poller.threadId());
            Thread.sleep(500);
            long cost = ManagementFactory.getThreadMXBean().getThreadCpuTime(poller.threadId()) - before;
            assertTrue(cost < TimeUnit.MILLISECONDS.toNanos(50),
                    () -> "CPU time in 500 ms without events: " + cost + " ns");
            assertTrue(poller.isAlive());
        }
    }
}
