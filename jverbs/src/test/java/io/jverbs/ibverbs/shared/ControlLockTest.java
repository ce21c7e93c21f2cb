package io.jverbs.ibverbs.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

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
        FutureTask<Integer> destruction = new FutureTask<>(() -> lock.destroy(() -> {
            destroyed.set(true);
            return 0;
        }));
        lock.enter();
        Thread closer = Thread.ofPlatform().start(destruction);
        awaitWaiting(closer);
        assertFalse(destroyed.get());

        lock.leave();

        assertEquals(0, destruction.get(20, TimeUnit.SECONDS));
        assertTrue(destroyed.get());
    }

    @Test
    void aCallThatBeganMayUseTheObjectAgainWhileItsDestructionWaits() throws Exception {
        FutureTask<Integer> destruction = new FutureTask<>(() -> lock.destroy(() -> 0));
        lock.enter();
        Thread closer = Thread.ofPlatform().start(destruction);
        awaitWaiting(closer);

        lock.enter();
        lock.leave();
        lock.leave();

        assertEquals(0, destruction.get(20, TimeUnit.SECONDS));
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
        lock.destroy(() -> 0);

        assertThrows(IllegalStateException.class, lock::enter);
    }

    @Test
    void anObjectIsDestroyedOnce() {
        lock.destroy(() -> 0);

        assertEquals(0, lock.destroy(() -> fail("destroyed twice")));
    }

    @Test
    void anObjectWhoseDestructionIsRefusedOrThrowsCanBeUsedAndDestroyedLater() {
        assertEquals(16, lock.destroy(() -> 16));
        assertThrows(OutOfMemoryError.class, () -> lock.destroy(() -> {
            throw new OutOfMemoryError("injected");
        }));

        lock.enter();
        lock.leave();
        assertEquals(0, lock.destroy(() -> 0));
        assertThrows(IllegalStateException.class, lock::enter);
    }
}
