package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A native object is not destroyed while control path calls use it. */
final class ControlLockTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final ControlLock lock = new ControlLock();

    private static void awaitWaiting(Thread thread) {
        long start = System.nanoTime();
        while (thread.getState() != Thread.State.WAITING) {
            assertTrue(System.nanoTime() - start < DEADLINE_NANOS, () -> thread + " is " + thread.getState());
            Thread.onSpinWait();
        }
    }

    @Test
    void destructionWaitsForACallInProgress() throws Exception {
        AtomicBoolean destroyed = new AtomicBoolean();
        FutureTask<Boolean> destruction = new FutureTask<>(() -> lock.destroy(() -> destroyed.getAndSet(true)));
        lock.enter();
        Thread closer = Thread.ofPlatform().start(destruction);
        awaitWaiting(closer);
        assertFalse(destroyed.get());

        lock.leave();

        assertFalse(destruction.get(20, TimeUnit.SECONDS));
        assertTrue(destroyed.get());
    }

    @Test
    void aCallThatBeganMayUseTheObjectAgainWhileItsDestructionWaits() throws Exception {
        FutureTask<Integer> destruction = new FutureTask<>(() -> lock.destroy(() -> 1));
        lock.enter();
        Thread closer = Thread.ofPlatform().start(destruction);
        awaitWaiting(closer);

        lock.enter();
        lock.leave();
        lock.leave();

        assertEquals(1, destruction.get(20, TimeUnit.SECONDS));
    }

    @Test
    void callsDoNotExcludeEachOther() throws Exception {
        FutureTask<Boolean> other = new FutureTask<>(() -> {
            lock.enter();
            lock.leave();
            return true;
        });
        lock.enter();
        Thread.ofPlatform().start(other);

        assertTrue(other.get(20, TimeUnit.SECONDS));
        lock.leave();
    }

    @Test
    void aCallAfterTheDestructionIsRefused() {
        lock.destroy(() -> 1);

        assertThrows(IllegalStateException.class, lock::enter);
        assertThrows(IllegalStateException.class, () -> lock.destroy(() -> 2));
    }

    @Test
    void anObjectWhoseDestructionFailsCanBeUsedAndDestroyedLater() {
        assertThrows(UnsupportedOperationException.class, () -> lock.destroy(() -> {
            throw new UnsupportedOperationException();
        }));

        lock.enter();
        lock.leave();
        assertEquals(1, lock.destroy(() -> 1));
    }
}
