package io.jverbs.fault;

import io.jverbs.Errno;

/** The fault that made the latest post of each thread fail, for the message of the exception. Thread-safe. */
final class InjectedFailures {
    private final ThreadLocal<Fault> latest = new ThreadLocal<>();

    /** Starts a post of this thread, and clears the fault of the previous one. */
    void begin() {
        if (latest.get() != null) {
            latest.remove();
        }
    }

    /** Records the fault that makes the current post fail; returns the number of its errno. */
    int fail(Fault fault, Errno errno) {
        latest.set(fault);
        return errno.code();
    }

    /** Why the latest post of this thread failed; null if no fault made it fail. */
    String reason() {
        Fault fault = latest.get();
        return fault == null ? null : reason(fault);
    }

    /** Why an operation fails that a fault rejects. */
    static String reason(Fault fault) {
        return "fault injection rejected it by the rule " + RuleText.write(fault);
    }
}
