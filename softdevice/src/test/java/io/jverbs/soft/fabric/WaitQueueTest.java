package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.Wait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for the events of a queue, of which one fails. */
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
}
