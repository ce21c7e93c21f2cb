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
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests virtual threads that wait for events of the native device on a single carrier thread.
 * {@link NativeDataPathTest} runs it.
 */
class OnOneCarrier {
    private static final Duration LONG = Duration.ofSeconds(30);

    private RdmaContext context;

    @BeforeEach
    void open() {
        assertEquals("1", System.getProperty("jdk.virtualThreadScheduler.maxPoolSize"));
        context = Verbs.select("stub").open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private static <T> FutureTask<T> onVirtualThread(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static <T> T resultOf(FutureTask<T> task) throws Exception {
        return task.get(LONG.toSeconds() / 2, TimeUnit.SECONDS);
    }

    @Test
    void aWaitForACompletionEventReleasesTheCarrier() throws Exception {
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(16, channel);
        QueuePair qp = context.allocatePd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
        cq.requestNotification(false);

        FutureTask<CompletionQueue> waiter = onVirtualThread(() -> channel.awaitEvent(LONG));
        FutureTask<Integer> poster = onVirtualThread(
                () -> qp.tryPostSend(SendWorkRequest.create(0).flags(SendFlags.SIGNALED)));

        assertEquals(0, resultOf(poster));
        assertSame(cq, resultOf(waiter));
        cq.acknowledgeEvents(1);
    }

    @Test
    void aWaitForAnAsynchronousEventReleasesTheCarrier() throws Exception {
        FutureTask<Object> waiter = onVirtualThread(() -> context.awaitAsyncEvent(Duration.ofSeconds(1)));
        FutureTask<Boolean> other = onVirtualThread(waiter::isDone);

        assertEquals(false, resultOf(other), "the second thread must run while the first waits");
        assertEquals(null, resultOf(waiter));
        assertTrue(waiter.isDone());
    }

    @Test
    void aWaitForAnEventOfTheConnectionManagerReleasesTheCarrier() throws Exception {
        try (CmEventChannel channel = CmEventChannel.create(context)) {
            FutureTask<CmEvent> waiter = onVirtualThread(() -> channel.awaitEvent(Duration.ofSeconds(1)));
            FutureTask<Boolean> other = onVirtualThread(waiter::isDone);

            assertEquals(false, resultOf(other), "the second thread must run while the first waits");
            assertEquals(null, resultOf(waiter));
        }
    }
}
