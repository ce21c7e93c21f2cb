package io.jverbs.soft.stress;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The worker threads of a stress test. They run until the time of the test is over or one of them fails. Every wait has
 * a timeout; a wait that times out fails the test with a dump of all threads.
 */
final class WorkerThreads implements AutoCloseable {
    /** The timeout of waits, long enough for a busy machine. */
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final String DURATION_PROPERTY = "jverbs.stress.seconds";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int SPINS = 100;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final long end;
    private long lastEnd;
    private String goal = "nothing";
    private BooleanSupplier reached = () -> true;

    /** What a worker thread runs. */
    interface Work {
        void run() throws Exception;
    }

    /** Worker threads that run for the time of one test. */
    WorkerThreads() {
        this(1);
    }

    /** Worker threads that run for a share of that time, for a test with several parameters. */
    WorkerThreads(double share) {
        double seconds = Double.parseDouble(System.getProperty(DURATION_PROPERTY, "1"));
        end = System.nanoTime() + (long) (share * seconds * NANOS_PER_SECOND);
        lastEnd = end;
    }

    /**
     * Sets a condition that the test must reach to be meaningful. On a busy machine the workers run longer than the
     * time of the test until it holds; the test fails if it does not hold in time. Call this before starting workers.
     */
    void require(String what, BooleanSupplier holds) {
        goal = what;
        reached = holds;
        lastEnd = end + TIMEOUT.toNanos();
    }

    /** Whether no worker has failed, and the time is not over or the required condition does not hold yet. */
    boolean isRunning() {
        long now = System.nanoTime();
        return failure.get() == null && (now - end < 0 || now - lastEnd < 0 && !reached.getAsBoolean());
    }

    /** Starts a worker on a platform thread. */
    WorkerThreads start(String name, Work work) {
        return launch(Thread.ofPlatform().daemon().name(name).unstarted(guarded(work)));
    }

    /** Starts a worker on a virtual thread. */
    WorkerThreads startVirtual(String name, Work work) {
        return launch(Thread.ofVirtual().name(name).unstarted(guarded(work)));
    }

    private WorkerThreads launch(Thread thread) {
        threads.add(thread);
        thread.start();
        return this;
    }

    private Runnable guarded(Work work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                fail(e);
            }
        };
    }

    /** Records the first failure and interrupts all workers, so that none waits for the failed one. */
    private void fail(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            threads.forEach(Thread::interrupt);
        }
    }

    /** Waits until all workers have ended. Throws an error with the first failure as its cause. */
    void join() {
        long deadline = Math.max(System.nanoTime(), lastEnd) + TIMEOUT.toNanos();
        for (Thread thread : threads) {
            try {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    throw withFailure(timeout(thread.getName() + " to end"));
                }
            } catch (InterruptedException e) {
                throw withFailure(timeout(thread.getName() + " to end; the test was interrupted"));
            }
        }
        if (failure.get() != null) {
            throw new AssertionError("a worker thread failed", failure.get());
        }
        if (!reached.getAsBoolean()) {
            throw new AssertionError("the required condition never held: " + goal);
        }
    }

    private AssertionError withFailure(AssertionError error) {
        if (failure.get() != null) {
            error.addSuppressed(failure.get());
        }
        return error;
    }

    /** Waits for a condition that another thread makes true; fails on a timeout or when a worker has failed. */
    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        for (int round = 0; !condition.getAsBoolean(); round++) {
            if (failure.get() != null) {
                throw new IllegalStateException("another worker failed while waiting for " + what);
            }
            if (System.nanoTime() - deadline > 0) {
                throw timeout(what);
            }
            backOff(round);
        }
    }

    /**
     * Creates a barrier. The last thread to arrive runs the action while all others wait, so that the action may
     * inspect what all have done.
     */
    CyclicBarrier barrier(int parties, Work action) {
        return new CyclicBarrier(parties, guarded(action));
    }

    /** Waits at a barrier. */
    void awaitBarrier(CyclicBarrier barrier, String what) {
        try {
            barrier.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            AssertionError timeout = timeout(what);
            timeout.addSuppressed(e);
            throw timeout;
        }
    }

    /** Spins at first, then yields the processor to other threads. */
    static void backOff(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Creates the error for a wait that timed out, with a dump of all threads. */
    AssertionError timeout(String what) {
        StringBuilder text = new StringBuilder("timed out waiting for ").append(what);
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            describe(text, entry.getKey(), entry.getValue());
        }
        for (Thread thread : threads) {
            if (thread.isVirtual()) {
                describe(text, thread, thread.getStackTrace());
            }
        }
        return new AssertionError(text.toString());
    }

    private static void describe(StringBuilder text, Thread thread, StackTraceElement[] stack) {
        text.append(System.lineSeparator()).append(thread).append(' ').append(thread.getState());
        for (StackTraceElement element : stack) {
            text.append(System.lineSeparator()).append("    at ").append(element);
        }
    }

    /** Interrupts workers that still run after the test has failed elsewhere. */
    @Override
    public void close() {
        fail(new IllegalStateException("the test is over"));
    }
}
