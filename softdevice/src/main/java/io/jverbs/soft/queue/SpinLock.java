package io.jverbs.soft.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** Keeps the lock word alone on its cache lines. */
@SuppressWarnings("unused")
abstract class SpinLockPadBefore {
    private long p0, p1, p2, p3, p4, p5, p6, p7;
}

/** Holds the lock word. */
abstract class SpinLockWord extends SpinLockPadBefore {
    /**
     * Even when free, odd when held; each acquisition makes it new, so a watcher can tell one holder from the next. A long, as an
     * int would have its place in the gap behind the object's header, before the padding.
     */
    @SuppressWarnings("unused")
    volatile long word;
}

/**
 * A lock for a few tens of nanoseconds of work: one compare-and-set to take it, a plain store with release order to give it
 * back. Not reentrant. Who has to wait spins briefly, then yields, then sleeps in short naps, so that a holder that lost its
 * core gets it back. Taking and releasing order memory as {@code synchronized} does, and the compare-and-set is a full
 * barrier against later volatile reads, which {@link #awaitRelease} relies on.
 */
public final class SpinLock extends SpinLockWord implements Guarded {
    private static final int SPINS = 200;
    private static final int YIELDS = 50;
    private static final long FIRST_NAP_NANOS = 20_000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(SpinLockWord.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    /** Takes the lock, waiting if somebody else has it. */
    public void lock() {
        long seen = (long) WORD.getOpaque(this);
        if ((seen & 1) != 0 || !WORD.compareAndSet(this, seen, seen + 1)) {
            lockSlowly();
        }
    }

    /** {@return true if the lock was free and is now the caller's} */
    public boolean tryLock() {
        long seen = (long) WORD.getOpaque(this);
        return (seen & 1) == 0 && WORD.compareAndSet(this, seen, seen + 1);
    }

    /** Gives the lock back. */
    public void unlock() {
        WORD.setRelease(this, (long) WORD.get(this) + 1);
    }

    /** Waits until whoever holds the lock at this moment has released it once; returns at once if nobody does. */
    @Override
    public void awaitRelease() {
        long seen = (long) WORD.getVolatile(this);
        if ((seen & 1) != 0) {
            for (int round = 0; (long) WORD.getVolatile(this) == seen; round++) {
                pause(round);
            }
        }
    }

    private void lockSlowly() {
        for (int round = 0; !tryLock(); round++) {
            pause(round);
        }
    }

    private static void pause(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
        } else if (round < SPINS + YIELDS || Thread.currentThread().isInterrupted()) {
            // an interrupted thread would not sleep
            Thread.yield();
        } else {
            int naps = Math.min(round - SPINS - YIELDS, 10);
            LockSupport.parkNanos(Math.min(FIRST_NAP_NANOS << naps, LONGEST_NAP_NANOS));
        }
    }
}
