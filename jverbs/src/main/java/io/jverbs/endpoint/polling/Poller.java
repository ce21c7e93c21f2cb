package io.jverbs.endpoint.polling;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes what a device reports: the threads that wait for something poll, one at a time, and otherwise a thread of
 * its own. That thread blocks until the device reports something. It only sleeps for short times while other threads
 * poll, since waking it for each message would take longer than the message.
 */
public abstract class Poller {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The thread that polls. */
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    /** How many threads block until the thread of this object has done something for them. */
    private final AtomicInteger blocked = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    /** Guards changes of the state, and the request to wake. */
    private final ReentrantLock sleepLock = new ReentrantLock();
    private volatile ThreadState state = ThreadState.RUNNING;
    /** A signal: the next {@link #sleep} returns without blocking, and uses it up. */
    private boolean wakeRequested;
    /** Whether the owner keeps the right to poll for good. It is set by threads other than that of this object. */
    private volatile boolean seized;
    /** Changes when another thread polls. */
    private volatile int uses;

    /**
     * What the thread of this object does. It may be interrupted only while it is ASLEEP.
     * <pre>
     * state      sleep, no wake requested    block has ended    wake       stop
     * RUNNING    ASLEEP                      -                  -          STOPPED
     * ASLEEP     -                           RUNNING            RUNNING    STOPPED
     * STOPPED    -                           -                  -          -
     * </pre>
     * All changes are made with the sleep lock held, so no wake-up is lost. If {@link #wake} takes the lock first, then
     * {@link #sleep} finds its request and does not block. Otherwise wake() finds ASLEEP and interrupts the thread; if
     * the thread has not blocked yet, {@link #block} throws at once. What the waking thread has written before is seen
     * after the sleep: either through the lock, or because block() ends with taking it. A thread that is parked because
     * others poll, or is about to park, is woken by the permit of unpark; if that wakes it from another wait, the
     * request is still there when it would sleep.
     */
    private enum ThreadState {
        /** It polls, calls the program, or is parked while others poll. */
        RUNNING,
        /** It blocks until the device reports something, or is about to. */
        ASLEEP,
        /** It has ended or is about to, and nobody polls. */
        STOPPED
    }

    /**
     * Creates a poller, whose thread does not run yet.
     *
     * @param name the name of its thread
     */
    protected Poller(String name) {
        thread = Thread.ofPlatform().daemon().name(name).inheritInheritableThreadLocals(false).unstarted(this::run);
    }

    /**
     * Processes what the device has reported. One thread at a time calls this.
     *
     * @return how much was processed
     */
    protected abstract int process();

    /** Calls the program, or does what takes long. The thread that polls calls this after {@link #process}. */
    protected abstract void deliver();

    /**
     * Blocks until the device has reported something, or for a time. Only the thread of this object calls this.
     *
     * @param nanos the time in nanoseconds
     * @throws InterruptedException if {@link #wake} or {@link #stop} was called
     */
    protected abstract void block(long nanos) throws InterruptedException;

    /**
     * Runs expired timers. Only the thread of this object calls this.
     *
     * @return the nanoseconds until the next timer
     */
    protected abstract long timers();

    /** {@return whether the thread of this object must process even while others poll} */
    protected abstract boolean needsThread();

    /** {@return how many nanoseconds the thread of this object polls before it blocks} */
    protected abstract long spinNanos();

    /** Ends what uses this object, because its context was closed. */
    protected abstract void contextClosed();

    /** Starts the thread of this object, once. */
    public final void start() {
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                ended.countDown();
            }
        }
    }

    /** Notes that a thread other than that of this object begins to wait. */
    public final void use() {
        uses++;
    }

    /** {@return whether the calling thread is inside {@link #poll}} */
    public final boolean isOwner() {
        return owner.get() == Thread.currentThread();
    }

    /**
     * Processes what the device has reported. Inside a call of the program, it only updates the state and calls
     * nothing.
     *
     * @return how much was processed; -1 if another thread is polling
     */
    public final int poll() {
        Thread me = Thread.currentThread();
        Thread present = owner.get();
        if (present == me) {
            return process();
        }
        if (present != null || !owner.compareAndSet(null, me)) {
            return -1;
        }
        try {
            if (isStopped()) {
                return 0;
            }
            int count = process();
            deliver();
            return count;
        } finally {
            owner.set(null);
        }
    }

    /**
     * Takes the right to poll.
     *
     * @return false if another thread has it
     */
    public final boolean tryOwn() {
        return owner.compareAndSet(null, Thread.currentThread());
    }

    /** Gives up the right to poll. */
    public final void disown() {
        owner.set(null);
    }

    /** Notes that a thread blocks, and makes the thread of this object process. */
    public final void beginBlock() {
        blocked.incrementAndGet();
        LockSupport.unpark(thread);
    }

    /** Notes that a thread does not block any more. */
    public final void endBlock() {
        blocked.decrementAndGet();
    }

    /** Makes the thread of this object run through its loop. */
    public final void wake() {
        sleepLock.lock();
        try {
            wakeRequested = true;
            if (interruptSleep()) {
                state = ThreadState.RUNNING;
            }
        } finally {
            sleepLock.unlock();
        }
        LockSupport.unpark(thread);
    }

    /** Ends the thread of this object, after which no thread polls. After an Error, the caller calls this again. */
    public final void stop() {
        sleepLock.lock();
        try {
            interruptSleep();
            state = ThreadState.STOPPED;
        } finally {
            sleepLock.unlock();
        }
        LockSupport.unpark(thread);
    }

    /** Interrupts the thread of this object if it is ASLEEP; returns whether it is. The sleep lock is held. */
    private boolean interruptSleep() {
        assert sleepLock.isHeldByCurrentThread();
        boolean isAsleep = state == ThreadState.ASLEEP;
        if (isAsleep) {
            thread.interrupt();
        }
        return isAsleep;
    }

    private boolean isStopped() {
        return state == ThreadState.STOPPED;
    }

    /** {@return whether the calling thread is that of this object} */
    public final boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** Waits until the thread of this object has ended. */
    public final void awaitEnd() {
        boolean interrupted = false;
        boolean done = isOwnThread() || thread.getState() == Thread.State.NEW;
        while (!done) {
            try {
                ended.await();
                done = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            int seen = uses;
            long active = System.nanoTime();
            while (!isStopped()) {
                try {
                    long idle = timers();
                    boolean others = uses != seen;
                    seen = uses;
                    if (others && !needsThread() && blocked.get() == 0) {
                        LockSupport.parkNanos(this, Math.min(idle, CHECK_NANOS));
                    } else if (poll() > 0) {
                        active = System.nanoTime();
                    } else if (System.nanoTime() - active >= spinNanos()) {
                        sleep(idle);
                        active = System.nanoTime();
                    } else {
                        Thread.onSpinWait();
                    }
                } catch (RuntimeException | Error e) {
                    failed(e);
                }
            }
        } finally {
            ended.countDown();
        }
    }

    private void sleep(long nanos) {
        sleepLock.lock();
        try {
            boolean mustRun = wakeRequested || isStopped();
            wakeRequested = false;
            if (mustRun) {
                return;
            }
            state = ThreadState.ASLEEP;
        } finally {
            sleepLock.unlock();
        }
        try {
            block(nanos);
        } catch (InterruptedException e) {
            // wake() was called
        } finally {
            endSleep();
        }
    }

    /** Ends the time in which the thread may be interrupted, and ignores an interrupt that came too late. */
    private void endSleep() {
        lockSleep();
        try {
            if (state == ThreadState.ASLEEP) {
                state = ThreadState.RUNNING;
            }
            Thread.interrupted();
        } finally {
            sleepLock.unlock();
        }
    }

    /** Takes the sleep lock, also if the first attempt throws an Error: the thread must not stay ASLEEP. */
    private void lockSleep() {
        try {
            sleepLock.lock();
        } catch (Error e) {
            sleepLock.lock();
        }
    }

    /** Continues after a failure; does not throw. */
    private void failed(Throwable failure) {
        try {
            if (failure instanceof IllegalStateException) {
                if (isStopped()) {
                    return;
                }
                contextClosed();
                if (isStopped()) {
                    return;
                }
            }
            LOG.warn("{} continues after a failure", thread.getName(), failure);
            LockSupport.parkNanos(this, PAUSE_NANOS);
        } catch (RuntimeException | Error again) {
            // the loop continues
        }
    }

    /** Stops polling permanently: no thread polls afterwards. Can be repeated by another thread. */
    public final void seize() {
        Thread me = Thread.currentThread();
        while (!seized && owner.get() != me && !owner.compareAndSet(null, me)) {
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(50));
        }
        seized = true;
    }
}
