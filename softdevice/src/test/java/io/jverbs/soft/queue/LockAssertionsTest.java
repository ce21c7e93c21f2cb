package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** While assertions are enabled, a lock knows its holder, and a method that requires the lock fails without it. */
final class LockAssertionsTest {
    private final SpinLock lock = new SpinLock();

    private static boolean inAnotherThread(BooleanSupplier question) {
        return CompletableFuture.supplyAsync(question::getAsBoolean).join();
    }

    @Test
    void aLockIsHeldByTheThreadThatAcquiredItAndByNoOther() {
        assertFalse(lock.isHeldByCurrentThread());
        lock.lock();
        assertTrue(lock.isHeldByCurrentThread());
        assertFalse(inAnotherThread(lock::isHeldByCurrentThread));
        assertFalse(inAnotherThread(lock::tryLock));
        assertTrue(lock.isHeldByCurrentThread());
        lock.unlock();
        assertFalse(lock.isHeldByCurrentThread());
        assertTrue(lock.tryLock());
        assertTrue(lock.isHeldByCurrentThread());
    }

    @Test
    void aLockThatTheThreadHoldsAlreadyIsNotAcquiredAgain() {
        lock.lock();
        assertThrows(AssertionError.class, lock::lock);
    }

    @Test
    void aLockIsNotReleasedByAThreadThatDoesNotHoldIt() {
        assertThrows(AssertionError.class, lock::unlock);
    }

    @Test
    void aMethodThatRequiresALockFailsWithoutIt() {
        ReceiveRing ring = new ReceiveRing(4, 1);
        assertThrows(AssertionError.class, ring::clear);
        ring.postLock().lock();
        ring.clear();
        ring.postLock().unlock();
        assertEquals(0, ring.size());
    }

    @Test
    void aRequestersLockIsHeldWhileTheLockInUseIs() {
        SendLock requester = new SendLock() {};
        assertThrows(AssertionError.class, () -> requester.share(lock));
        requester.acquire();
        assertTrue(requester.isHeldByCurrentThread());
        requester.share(lock);
        assertTrue(requester.isHeldByCurrentThread() && lock.isHeldByCurrentThread());
        requester.release();
        assertFalse(requester.isHeldByCurrentThread() || lock.isHeldByCurrentThread());
        lock.lock();
        assertTrue(requester.isHeldByCurrentThread(), "its lock in use is the responder's");
    }
}
