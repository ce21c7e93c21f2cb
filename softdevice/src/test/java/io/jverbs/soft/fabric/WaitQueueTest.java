package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.Wait;
import io.jverbs.soft.queue.ProcessorYield;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that wait for the events of a queue, of which one fails, or for its lock. */
@Timeout(60)
final class WaitQueueTest {
    private static final long LONG_MILLIS = 30_000;
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(LONG_MILLIS);
    private static final String FAILURE = "on purpose";

    private final Events queue = new Events();
    private final List<FutureTask<String>> waits = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private static final class Events extends WaitQueue<String> {
        private final Deque<String> events = new ArrayDeque<>();
        /** The number of calls of {@link #take} that fail. */
        private int failures;

        void add(String event) {
            lock();
            try {
                signal();
                events.add(event);
            } finally {
                unlock();
            }
        }

        void whileLocked(Callable<Void> steps) throws Exception {
            lock();
            try {
                steps.call();
            } finally {
                unlock();
            }
        }

        void failNext() {
            lock();
            failures++;
            unlock();
        }

        @Override
        protected boolean isEmpty() {
            return events.isEmpty();
        }

        @Override
        protected String take() {
            if (failures > 0 && !events.isEmpty()) {
                failures--;
                throw new StackOverflowError(FAILURE);
            }
            return events.poll();
        }

        @Override
        protected void clear() {
            events.clear();
        }
    }

    private void startWaits(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            FutureTask<String> wait = new FutureTask<>(() -> queue.await(LONG));
            waits.add(wait);
            threads.add(Thread.ofPlatform().daemon().start(wait));
        }
        assertTrue(Wait.until(LONG_MILLIS,
                () -> threads.stream().allMatch(each -> each.getState() == Thread.State.TIMED_WAITING)),
                "a thread does not park");
    }

    /** Waits until a number of waits have ended; returns how many of them have failed. */
    private long failed(int ended) throws InterruptedException {
        assertTrue(Wait.until(LONG_MILLIS, () -> waits.stream().filter(FutureTask::isDone).count() >= ended),
                "a thread sleeps although its event is there");
        long failed = 0;
        for (FutureTask<String> wait : waits) {
            if (wait.isDone() && wait.state() == FutureTask.State.FAILED) {
                ExecutionException e = assertThrows(ExecutionException.class, wait::get);
                assertEquals(FAILURE, e.getCause().getMessage());
                failed++;
            }
        }
        return failed;
    }

    @Test
    void aThreadWhoseWaitFailsWakesAnotherOneForItsEvent() throws Exception {
        startWaits(2);
        queue.failNext();
        queue.add("event");
        assertEquals(1, failed(2));
    }

    @Test
    void eventsForWhichTheExternalWaiterWasWokenReachTheOthersIfItFails() throws Exception {
        startWaits(3);
        WaitQueue.ExternalWaiter leader = new WaitQueue.ExternalWaiter() {
            @Override
            public boolean waitsFor(WaitQueue<?> other) {
                return other == queue;
            }

            @Override
            public void wake() {
                // the leader is awake
            }
        };
        queue.beginExternalWait(leader);
        for (int i = 0; i < 3; i++) {
            queue.add("event " + i);
        }
        // instead of endExternalWait, which was not reached
        queue.passOn();
        assertEquals(0, failed(3));
    }

    /** A virtual thread may have begun deferred work; a platform thread is scheduled by the system in any case. */
    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
    void onlyAVirtualThreadYieldsItsProcessorBeforeItParksForTheLock(boolean isVirtual, boolean isProvided,
            boolean yields) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
        Runnable before = ProcessorYield.provide(isProvided ? calls::incrementAndGet : null);
        try {
            queue.whileLocked(() -> {
                Thread thread = builder.start(() -> {
                    queue.wake();
                    ended.countDown();
                });
                assertTrue(Wait.until(LONG_MILLIS, () -> thread.getState() == Thread.State.WAITING));
                assertEquals(yields, calls.get() > 0);
                return null;
            });
            assertTrue(ended.await(LONG_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            ProcessorYield.provide(before);
        }
        assertTrue(queue.takeWake());
    }

    /** Each call may last as long as other threads of the system keep the core busy. */
    @Test
    void aVirtualThreadParksForTheLockIfItHasYieldedForMilliseconds() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Runnable before = ProcessorYield.provide(() -> {
            calls.incrementAndGet();
            long start = System.nanoTime();
            while (System.nanoTime() - start <= ProcessorYield.MAX_NANOS) {
                Thread.onSpinWait();
            }
        });
        FutureTask<Boolean> wait = new FutureTask<>(queue::isReady);
        try {
            queue.whileLocked(() -> {
                Thread thread = Thread.ofVirtual().start(wait);
                assertTrue(Wait.until(LONG_MILLIS, () -> thread.getState() == Thread.State.WAITING));
                assertEquals(1, calls.get());
                return null;
            });
            assertFalse(wait.get(LONG_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            ProcessorYield.provide(before);
        }
    }

    @Test
    void aVirtualThreadTakesTheLockThatIsReleasedWhileItYields() throws Exception {
        CountDownLatch yielded = new CountDownLatch(1);
        AtomicBoolean released = new AtomicBoolean();
        Runnable before = ProcessorYield.provide(() -> {
            yielded.countDown();
            while (!released.get()) {
                Thread.onSpinWait();
            }
        });
        FutureTask<Boolean> wait = new FutureTask<>(queue::isReady);
        try {
            queue.whileLocked(() -> {
                Thread.ofVirtual().start(wait);
                assertTrue(yielded.await(LONG_MILLIS, TimeUnit.MILLISECONDS));
                return null;
            });
            released.set(true);
            assertFalse(wait.get(LONG_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            released.set(true);
            ProcessorYield.provide(before);
        }
    }
}
