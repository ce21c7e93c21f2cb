package io.jverbs.strict;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the state that strict mode tracks for one context is still consistent. An Error in the middle of an update,
 * for instance an OutOfMemoryError, leaves that state wrong. The verb still completes, and strict mode stops checking
 * the context. Thread-safe.
 */
final class TrackingState {
    private static final Logger LOG = LoggerFactory.getLogger(StrictMode.class);

    private final String context;
    private volatile boolean disabled;

    /**
     * Starts enabled.
     *
     * @param context the description of the context, for the log
     */
    TrackingState(String context) {
        this.context = context;
    }

    /** Whether strict mode has stopped checking the context. */
    boolean isDisabled() {
        return disabled;
    }

    /** Stops checking the context after something was thrown in the middle of an update. Throws nothing. */
    void disable(Throwable cause) {
        if (disabled) {
            return;
        }
        disabled = true;
        try {
            LOG.warn("Strict mode no longer checks the {}: its records of the context may be wrong after {}", context,
                    cause.toString());
        } catch (RuntimeException | Error e) {
            // there may be no memory left for the message
        }
    }
}
