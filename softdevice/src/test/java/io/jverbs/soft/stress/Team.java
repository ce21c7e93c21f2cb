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
 * Threads that work until the time of a stress test is over or one of them fails. Every wait has a deadline; one that passes fails
 * the test with a dump of all threads.
 */
final class Team implements AutoCloseable {
    /** For what must happen: long enough for a machine that is busy with other things. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String DURATION_PROPERTY = "jverbs.stress.seconds";
    private static final double NANOS_A_SECOND = 1e9;
    private static final int SPINS = 100;

    private final List<Thread> members = new CopyOnWriteArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final long end;
    private long lastEnd;
    private String goal = "nothing";
    private BooleanSupplier reached = () -> true;

    /** What a member does. */
    interface Work {
        void run() throws Exception;
    }

    /** A team that works for the time of one test. */
    Team() {
        this(1);
    }

    /** A team that works for part of that time, where a test has many rows. */
    Team(double share) {
        double seconds = Double.parseDouble(System.getProperty(DURATION_PROPERTY, "1"));
        end = System.nanoTime() + (long) (share * seconds * NANOS_A_SECOND);
        lastEnd = end;
    }

    /**
     * Without what this says a test would show nothing: the team works on past its time until it holds, as others may have had the
     * processors all the time, and fails if it does not come to hold. To be said before members are added.
     */
    void until(String what, BooleanSupplier holds) {
        goal = what;
        reached = holds;
        lastEnd = end + PATIENCE.toNanos();
    }

    /** Whether nobody has failed, and the time is not over or there is something yet to reach. */
    boolean goesOn() {
        long now = System.nanoTime();
        return failure.get() == null && (now - end < 0 || now - lastEnd < 0 && !reached.getAsBoolean());
    }

    /** Adds a member on a thread of the platform's. */
    Team member(String name, Work work) {
        return start(Thread.ofPlatform().daemon().name(name).unstarted(guarded(work)));
    }

    /** Adds a member on a virtual thread. */
    Team virtualMember(String name, Work work) {
        return start(Thread.ofVirtual().name(name).unstarted(guarded(work)));
    }

    private Team start(Thread thread) {
        members.add(thread);
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

    /** Keeps the first failure, and wakes whoever waits for the one that failed. */
    private void fail(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            members.forEach(Thread::interrupt);
        }
    }

    /** Waits until all members have ended; throws what the first of them threw. */
    void join() {
        long deadline = Math.max(System.nanoTime(), lastEnd) + PATIENCE.toNanos();
        for (Thread member : members) {
            try {
                if (!member.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    throw withFailure(stuck(member.getName() + " to end"));
                }
            } catch (InterruptedException e) {
                throw withFailure(stuck(member.getName() + " to end, until the test was interrupted"));
            }
        }
        if (failure.get() != null) {
            throw new AssertionError("a member of the team failed", failure.get());
        }
        if (!reached.getAsBoolean()) {
            throw new AssertionError("never in all that time: " + goal);
        }
    }

    private AssertionError withFailure(AssertionError error) {
        if (failure.get() != null) {
            error.addSuppressed(failure.get());
        }
        return error;
    }

    /** Waits for what another thread does; gives up when a member has failed or the deadline passes. */
    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int round = 0; !condition.getAsBoolean(); round++) {
            if (failure.get() != null) {
                throw new IllegalStateException("waited for " + what + " when another member failed");
            }
            if (System.nanoTime() - deadline > 0) {
                throw stuck(what);
            }
            pause(round);
        }
    }

    /** A barrier; the action, run by the last to come while all others wait, may look at what they all have done. */
    CyclicBarrier barrier(int parties, Work action) {
        return new CyclicBarrier(parties, guarded(action));
    }

    /** Waits at a barrier. */
    void meet(CyclicBarrier barrier, String what) {
        try {
            barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            AssertionError stuck = stuck(what);
            stuck.addSuppressed(e);
            throw stuck;
        }
    }

    /** Lets others run, more so the longer one waits. */
    static void pause(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Says that something does not happen, and what every thread is doing instead. */
    AssertionError stuck(String what) {
        StringBuilder text = new StringBuilder("waited in vain for ").append(what);
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            describe(text, entry.getKey(), entry.getValue());
        }
        for (Thread member : members) {
            if (member.isVirtual()) {
                describe(text, member, member.getStackTrace());
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

    /** Ends the test for members that a failure elsewhere left behind. */
    @Override
    public void close() {
        fail(new IllegalStateException("the test is over"));
    }
}
