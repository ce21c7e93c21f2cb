package io.jverbs.soft.nio.contract;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call that may block, on a thread of its own. */
public final class BlockingCall<T> {
    /** In how many samples in succession, a millisecond apart, a thread that blocks is seen to block. */
    private static final int SAMPLES = 3;

    private final FutureTask<T> task;
    private final Thread thread;
    /** Written by the thread before the task is done. */
    private boolean interruptedAfterwards;

    private BlockingCall(ThreadKind kind, boolean interruptFirst, Callable<T> call) {
        task = new FutureTask<>(() -> {
            if (interruptFirst) {
                Thread.currentThread().interrupt();
            }
            try {
                return call.call();
            } finally {
                interruptedAfterwards = Thread.currentThread().isInterrupted();
            }
        });
        thread = kind.thread(task);
        thread.start();
    }

    /** Starts a call on a platform thread. */
    public static <T> BlockingCall<T> start(Callable<T> call) {
        return start(ThreadKind.PLATFORM, call);
    }

    /** Starts a call on a thread of a kind. */
    public static <T> BlockingCall<T> start(ThreadKind kind, Callable<T> call) {
        return new BlockingCall<>(kind, false, call);
    }

    /** Starts a call on a thread whose interrupt status is already set. */
    public static <T> BlockingCall<T> startInterrupted(ThreadKind kind, Callable<T> call) {
        return new BlockingCall<>(kind, true, call);
    }

    /**
     * Waits until the thread blocks in a method of an object: the method is on its stack, and it waits or is in native
     * code.
     */
    public BlockingCall<T> awaitBlockedIn(Object object, String method) throws Exception {
        int[] blocked = {0};
        Until.holds(method + " blocks", () -> {
            if (task.isDone()) {
                fail(method + " does not block, it returned or threw: " + outcome());
            }
            blocked[0] = blocksIn(object, method) ? blocked[0] + 1 : 0;
            return blocked[0] == SAMPLES;
        });
        return this;
    }

    private boolean blocksIn(Object object, String method) {
        StackTraceElement[] stack = thread.getStackTrace();
        boolean waits = switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            case RUNNABLE -> stack.length > 0 && stack[0].isNativeMethod();
            default -> false;
        };
        return waits && Arrays.stream(stack).anyMatch(
                frame -> frame.getMethodName().equals(method) && isClassOf(object, frame.getClassName()));
    }

    private static boolean isClassOf(Object object, String name) {
        for (Class<?> each = object.getClass(); each != null; each = each.getSuperclass()) {
            if (each.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private String outcome() throws InterruptedException {
        try {
            return String.valueOf(task.get());
        } catch (ExecutionException e) {
            return e.getCause().toString();
        }
    }

    /** Whether the thread waits for a monitor that another thread holds. */
    public boolean waitsForMonitor() {
        return thread.getState() == Thread.State.BLOCKED;
    }

    /** Interrupts the thread. */
    public BlockingCall<T> interrupt() {
        thread.interrupt();
        return this;
    }

    /** Whether the call has not ended yet. */
    public boolean isRunning() {
        return !task.isDone();
    }

    /** Waits for the call to return; returns what it returned, or throws what it threw. */
    public T result() throws Exception {
        try {
            return task.get(Until.DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw (Error) e.getCause();
        }
    }

    /** Waits for the call to throw an exception of a type; returns the exception. */
    public <X extends Throwable> X failure(Class<X> type) throws Exception {
        try {
            T result = task.get(Until.DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            return fail("returned " + result + " and did not throw " + type.getName());
        } catch (ExecutionException e) {
            return assertInstanceOf(type, e.getCause());
        }
    }

    /** Waits for the end of the call; returns whether the interrupt status of the thread was set after it. */
    public boolean isInterruptedAfterwards() throws Exception {
        try {
            task.get(Until.DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            // ended, too
        }
        return interruptedAfterwards;
    }
}
