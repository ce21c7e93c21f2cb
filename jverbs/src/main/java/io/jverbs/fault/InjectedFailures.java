package io.jverbs.fault;

import io.jverbs.Errno;

/**
 * Why this layer made the latest post of each thread fail, for the message of the exception: a fault, a full queue, or
 * an exception or Error after a part of the chain had been posted. Thread-safe.
 */
final class InjectedFailures {
    /** In place of a fault: the queue has no entry left. */
    private static final Object FULL = new Object();

    /** A {@link Fault}, a Throwable, or {@link #FULL}; null if this layer did not make the post fail. */
    private final ThreadLocal<Object> latest = new ThreadLocal<>();

    /** Starts a post of this thread, and clears the failure of the previous one. */
    void begin() {
        if (latest.get() != null) {
            // the value is kept, so that recording a failure needs no memory
            latest.set(null);
        }
    }

    /** Records the fault that makes the current post fail; returns the number of its errno. */
    int fail(Fault fault, Errno errno) {
        latest.set(fault);
        return errno.code();
    }

    /** Records that the current post fails because the queue is full; returns the number of the errno. */
    int full() {
        latest.set(FULL);
        return Errno.ENOMEM.code();
    }

    /** Records what was thrown after a part of the chain had been posted; returns the number of the errno. */
    int interrupted(Throwable cause) {
        try {
            latest.set(cause);
        } catch (RuntimeException | Error e) {
            // the post must return how many requests were posted
        }
        return Errno.ENOMEM.code();
    }

    /** Whether this layer, not the device, made the latest post of this thread fail. */
    boolean isFailed() {
        return latest.get() != null;
    }

    /** Why this layer made the latest post of this thread fail; null if it did not, or if the queue is full. */
    String reason() {
        return switch (latest.get()) {
            case Fault fault -> reason(fault);
            case Throwable cause -> "fault injection ended the post after the requests before it, because of " + cause;
            case null, default -> null;
        };
    }

    /** Why an operation fails that a fault rejects. */
    static String reason(Fault fault) {
        return "fault injection rejected it by the rule " + RuleText.write(fault);
    }
}
