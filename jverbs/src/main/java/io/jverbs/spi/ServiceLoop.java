package io.jverbs.spi;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a background thread of a device, which must survive every failure. The thread inherits nothing from the
 * thread that starts it. An interrupt does not end it and does not keep it from sleeping. After a failure of any kind
 * the loop continues, after a pause that grows from 2 ms to 256 ms while the failure recurs.
 *
 * <p>
 * The loop calls {@link #begin} at the start of each iteration, {@link #passed} at its end, and {@link #failed} if the
 * iteration throws. These three methods are for the thread of the loop only; any thread may call {@link #logFailure}.
 */
public final class ServiceLoop {
    private static final long MIN_PAUSE_NANOS = 2_000_000;
    private static final long MAX_PAUSE_NANOS = 256_000_000;

    private final Logger log;
    private final String name;
    private volatile boolean logged;
    private long pause = MIN_PAUSE_NANOS;
    private int failures;

    /**
     * Makes the state of a loop that has not begun.
     *
     * @param owner the class whose logger logs failures
     * @param name the name that log messages give to the loop
     */
    public ServiceLoop(Class<?> owner, String name) {
        this.log = LoggerFactory.getLogger(Objects.requireNonNull(owner, "owner"));
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Creates a thread that is not started. It is a platform thread, a daemon, and has normal priority. It belongs to
     * the system's thread group, so that a program that interrupts its own groups does not reach it. It does not
     * inherit inheritable thread-local values or the context class loader. An exception that it does not catch is
     * logged at level ERROR.
     *
     * @param name the name of the thread
     * @param owner the class whose logger logs an uncaught exception
     * @param body the code to run
     * @return the thread
     */
    public static Thread unstarted(String name, Class<?> owner, Runnable body) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(body, "body");
        Logger log = LoggerFactory.getLogger(Objects.requireNonNull(owner, "owner"));
        Thread thread = Thread.ofPlatform().daemon().name(name).priority(Thread.NORM_PRIORITY).group(systemGroup())
                .inheritInheritableThreadLocals(false)
                .uncaughtExceptionHandler(
                        (ended, failure) -> log.error("{} ended with an uncaught exception", name, failure))
                .unstarted(body);
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        return thread;
    }

    private static ThreadGroup systemGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** Begins an iteration. Clears the interrupt status, with which every wait would return at once. */
    public void begin() {
        Thread.interrupted();
    }

    /** Notes that an iteration ended normally; the next failure is the first in a row. */
    public void passed() {
        if (failures != 0) {
            failures = 0;
            pause = MIN_PAUSE_NANOS;
        }
    }

    /**
     * Logs the failure of an iteration and pauses. Throws nothing. The pause doubles with each failure in a row, up to
     * 256 ms. It ends early if the thread is unparked or interrupted.
     *
     * @param failure what the iteration threw
     * @return the number of iterations in a row that have failed
     */
    public int failed(Throwable failure) {
        logFailure(Objects.requireNonNull(failure, "failure"));
        failures++;
        try {
            LockSupport.parkNanos(this, pause);
        } catch (RuntimeException | Error notPaused) {
            // the loop continues without the pause
        }
        pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
        return failures;
    }

    /**
     * Logs a failure: the first one at level WARN, later ones at level DEBUG. Throws nothing. If logging fails, for
     * example for lack of memory, the next failure is logged at level WARN.
     *
     * @param failure the failure
     */
    public void logFailure(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        try {
            if (logged) {
                log.debug("{} continues after a failure", name, failure);
            } else {
                log.warn("{} continues after an unexpected failure; later ones are logged at level DEBUG", name,
                        failure);
                logged = true;
            }
        } catch (RuntimeException | Error notLogged) {
            // Throwable.addSuppressed may throw, too: for lack of memory, or because both are the same object
        }
    }
}
