package io.jverbs.soft.journal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of a queue pair whose cause its completions do not show: registered memory that no longer exists, and
 * exceptions thrown inside the device. A failure is noted with locks held, and logged after they have been released,
 * once for each connection. If logging fails, nothing is thrown, because the queue pair must be flushed afterwards.
 */
public final class FailureReport {
    private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);
    private static final String LOST_MEMORY = "Queue pair 0x{} of {}: the memory of a registered region that a request"
            + " names no longer exists. A mapped file was probably truncated: deregister the memory and unmap the file"
            + " before truncating it. The request completes in error. This warning is logged once for each connection.";
    private static final String UNEXPECTED = "Queue pair 0x{} of {} moves to ERR and its work requests are flushed: an"
            + " operation inside the device failed.";

    private final Subject qp;
    private volatile boolean lostMemory;
    /** The first exception or error of this connection, or null. */
    private volatile Throwable unexpected;

    public FailureReport(Subject qp) {
        this.qp = qp;
    }

    /** Notes that memory no longer exists; returns whether this is the first time for this connection. */
    public boolean noteLostMemory() {
        boolean isNew = !lostMemory;
        lostMemory = true;
        return isNew;
    }

    /** Notes an exception or error; returns whether it is the first of this connection. */
    public boolean note(Throwable cause) {
        boolean isNew = unexpected == null;
        if (isNew) {
            unexpected = cause;
        }
        return isNew;
    }

    /** Forgets all failures, because a new connection begins. */
    public void clear() {
        lostMemory = false;
        unexpected = null;
    }

    /** Logs that memory no longer exists. The caller holds no lock. */
    public void logLostMemory() {
        warn(LOST_MEMORY, null);
    }

    /** Logs the first exception or error. The caller holds no lock. */
    public void logUnexpected() {
        Throwable cause = unexpected;
        if (cause != null) {
            warn(UNEXPECTED, cause);
        }
    }

    private void warn(String format, Throwable cause) {
        try {
            LOG.warn(format, Integer.toHexString(qp.number()), qp.device(), cause);
        } catch (RuntimeException | Error e) {
            // for lack of memory or stack: there is nowhere to report it
        }
    }
}
