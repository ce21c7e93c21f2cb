package io.jverbs.endpoint;

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
abstract class Poller {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The thread that polls. */
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    /** How many threads block until the thread of this object has done something for them. */
    private final AtomicInteger blocked = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private final ReentrantLock sleepLock = new ReentrantLock();
    /** Whether the thread of this object may be interrupted; guarded by the sleep lock. */
    private boolean asleep;
    private boolean wakeRequested;
    /** Changes when another thread polls. */
    private volatile int uses;
    private volatile boolean stopped;

    Poller(String name) {
        thread = Thread.ofPlatform().daemon().name(name).inheritInheritableThreadLocals(false).unstarted(this::run);
    }

    /** Processes what the device has reported; returns how much it was. One thread at a time calls this. */
    abstract int process();

    /** Calls the program, or does what takes long. The thread that polls calls this after {@link #process}. */
    abstract void deliver();

    /** Blocks until the device has reported something, or for a time. Only the thread of this object calls this. */
    abstract void block(long nanos) throws InterruptedException;

    /** Does what is due, and returns how long nothing is. Only the thread of this object calls this. */
    abstract long timers();

    /** Whether the thread of this object must process even while others poll. */
    abstract boolean needsThread();

    /** How long the thread of this object polls before it blocks. */
    abstract long spinNanos();

    /** Ends what uses this object, because its context was closed. */
    abstract void contextClosed();

    final void start() {
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
    final void use() {
        uses++;
    }

    /** Returns whether the calling thread is inside {@link #poll}. */
    final boolean isOwner() {
        return owner.get() == Thread.currentThread();
    }

    /**
     * Processes what the device has reported. Inside a call of the program, it only updates the state and calls
     * nothing.
     *
     * @return how much was processed; -1 if another thread is polling
     */
    final int poll() {
        Thread me = Thread.currentThread();
        Thread present = owner.get();
        if (present == me) {
            return process();
        }
        if (present != null || !owner.compareAndSet(null, me)) {
            return -1;
        }
        try {
            if (stopped) {
                return 0;
            }
            int count = process();
            deliver();
            return count;
        } finally {
            owner.set(null);
        }
    }

    /** Takes the right to poll; returns false if another thread has it. */
    final boolean tryOwn() {
        return owner.compareAndSet(null, Thread.currentThread());
    }

    final void disown() {
        owner.set(null);
    }

    /** Notes that a thread blocks, and makes the thread of this object process. */
    final void beginBlock() {
        blocked.incrementAndGet();
        LockSupport.unpark(thread);
    }

    final void endBlock() {
        blocked.decrementAndGet();
    }

    /** Makes the thread of this object run through its loop. */
    final void wake() {
        sleepLock.lock();
        try {
            wakeRequested = true;
            if (asleep) {
                asleep = false;
                thread.interrupt();
            }
        } finally {
            sleepLock.unlock();
        }
        LockSupport.unpark(thread);
    }

    /** Ends the thread of this object, after which nobody polls. */
    final void stop() {
        stopped = true;
        wake();
    }

    final boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** Waits until the thread of this object has ended. */
    final void awaitEnd() {
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
            while (!stopped) {
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
                } catch (IllegalStateException e) {
                    if (!stopped) {
                        contextClosed();
                        pause(e);
                    }
                } catch (RuntimeException | Error e) {
                    pause(e);
                }
            }
        } finally {
            ended.countDown();
        }
    }

    private void sleep(long nanos) {
        sleepLock.lock();
        try {
            asleep = !wakeRequested && !stopped;
            wakeRequested = false;
            if (!asleep) {
                return;
            }
        } finally {
            sleepLock.unlock();
        }
        try {
            block(nanos);
        } catch (InterruptedException e) {
            // wake() was called
        } finally {
            sleepLock.lock();
            asleep = false;
            // an interrupt that came too late
            Thread.interrupted();
            sleepLock.unlock();
        }
    }

    private void pause(Throwable failure) {
        try {
            LOG.warn("{} continues after a failure", thread.getName(), failure);
        } catch (RuntimeException | Error notLogged) {
            // the loop continues
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
    }

    /** Takes the right to poll for good; nobody polls afterwards. */
    final void seize() {
        Thread me = Thread.currentThread();
        while (owner.get() != me && !owner.compareAndSet(null, me)) {
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(50));
        }
    }
}
