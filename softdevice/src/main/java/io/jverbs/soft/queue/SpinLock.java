package io.jverbs.soft.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Padding: keeps the lock word alone on its cache lines. */
@SuppressWarnings("unused")
abstract class SpinLockPadBefore {
    private long p0, p1, p2, p3, p4, p5, p6, p7;
}

/** Holds the lock word. */
abstract class SpinLockWord extends SpinLockPadBefore {
    /**
     * 0 if the lock is free, 1 if it is held, or the number of the present holder, which a thread that awaits the
     * release has written here. A long, because the JVM would lay an int out in the gap after the object header, before
     * the padding.
     */
    @SuppressWarnings("unused")
    volatile long word;
}

/**
 * A lock for critical sections of a few tens of nanoseconds. Acquiring it takes one compare-and-set, releasing it a
 * store with release order. It is not reentrant.
 *
 * <p>
 * A waiting thread spins briefly, then yields, then parks for short times, so that a holder that was preempted gets a
 * core again. A virtual thread spins for longer, and lets other threads of the system have the processor meanwhile
 * ({@link ProcessorYield}). It parks, too, so that a holder runs again that was unmounted because it waited for a lock:
 * carriers whose threads only yield take no other threads. Acquiring and releasing have the memory effects of
 * {@code synchronized}. The compare-and-set is also a full barrier before later volatile reads; {@link #awaitRelease}
 * relies on this.
 *
 * <p>
 * The owner is recorded only while assertions are enabled, by the assertions in this class. Methods that require a lock
 * assert {@link #isHeldByCurrentThread}; without assertions the lock word is all that is written.
 */
public final class SpinLock extends SpinLockWord implements Guarded {
    private static final int SPINS = 200;
    private static final int YIELDS = 50;
    private static final int SPINS_OF_VIRTUAL_THREADS = 20_000;
    private static final long FIRST_PARK_NANOS = 20_000;
    private static final long MAX_PARK_NANOS = 1_000_000;
    private static final long FREE = 0;
    private static final long HELD = 1;
    private static final VarHandle WORD;
    private static final VarHandle AWAITED;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(SpinLockWord.class, "word", long.class);
            AWAITED = MethodHandles.lookup().findVarHandle(SpinLock.class, "awaited", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;
    /** The number of the latest holder whose release was awaited. */
    @SuppressWarnings("unused")
    private long awaited = HELD;
    /** The holder; always null if assertions are disabled. A thread finds itself here only while it holds the lock. */
    private Thread owner;

    /** Acquires the lock; waits while another thread holds it. */
    public void lock() {
        assert !isHeldByCurrentThread() : "the lock is not reentrant";
        if (!WORD.compareAndSet(this, FREE, HELD)) {
            lockSlowly();
        }
        assert setOwner();
    }

    /** {@return true if the lock was free and is now held by the caller} */
    public boolean tryLock() {
        if ((long) WORD.getOpaque(this) != FREE || !WORD.compareAndSet(this, FREE, HELD)) {
            return false;
        }
        assert setOwner();
        return true;
    }

    /** Releases the lock. */
    public void unlock() {
        assert clearOwner();
        WORD.setRelease(this, FREE);
    }

    @Override
    public void awaitRelease() {
        long holder = numberOfHolder();
        if (holder != FREE) {
            long yieldsEnd = 0;
            for (int round = 0; (long) WORD.getVolatile(this) == holder; round++) {
                yieldsEnd = pause(round, yieldsEnd);
            }
        }
    }

    /** Gives the present holder a number that the next one does not have; returns it, or 0 if there is no holder. */
    private long numberOfHolder() {
        long seen = (long) WORD.getVolatile(this);
        while (seen == HELD) {
            long number = (long) AWAITED.getAndAdd(this, 1L) + 1;
            seen = (long) WORD.compareAndExchange(this, HELD, number);
            if (seen == HELD) {
                return number;
            }
        }
        return seen;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return owner == Thread.currentThread();
    }

    private boolean setOwner() {
        owner = Thread.currentThread();
        return true;
    }

    private boolean clearOwner() {
        boolean held = isHeldByCurrentThread();
        owner = null;
        return held;
    }

    private void lockSlowly() {
        long yieldsEnd = 0;
        for (int round = 0; !tryLock(); round++) {
            yieldsEnd = pause(round, yieldsEnd);
        }
    }

    /** Returns until when a virtual thread may let others have the processor; 0 before the first time. */
    private static long pause(int round, long yieldsEnd) {
        // a virtual thread yields late, because it may hold other locks, and does not run before others that are ready
        boolean isVirtual = Thread.currentThread().isVirtual();
        int spins = isVirtual ? SPINS_OF_VIRTUAL_THREADS : SPINS;
        if (round < spins) {
            if (isVirtual && round % SPINS == SPINS - 1) {
                return yieldProcessor(round, yieldsEnd);
            }
            Thread.onSpinWait();
        } else if (round < spins + YIELDS) {
            ShortPark.yield();
        } else {
            int doublings = Math.min(round - spins - YIELDS, 10);
            ShortPark.park(Math.min(FIRST_PARK_NANOS << doublings, MAX_PARK_NANOS));
        }
        return yieldsEnd;
    }

    /** Lets a holder that was preempted run, unless that has taken too long. */
    private static long yieldProcessor(int round, long yieldsEnd) {
        long now = System.nanoTime();
        long end = round < SPINS ? now + ProcessorYield.MAX_NANOS : yieldsEnd;
        if (end - now < 0 || !ProcessorYield.yieldProcessor()) {
            Thread.onSpinWait();
        }
        return end;
    }
}
