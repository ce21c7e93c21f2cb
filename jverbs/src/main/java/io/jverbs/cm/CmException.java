package io.jverbs.cm;

import io.jverbs.Errno;
import java.io.Serial;

/**
 * Thrown when a step of the connection manager that takes time has failed. It contains the type and the status of
 * the event that reported the failure. The message says which step failed, why, and what to do:
 *
 * <pre>resolve_addr of /192.0.2.9:7471: ADDR_ERROR, EHOSTUNREACH (113): no route to the address</pre>
 */
public final class CmException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The type of the event. */
    private final CmEventType type;
    /** The status of the event. */
    private final int status;

    CmException(String step, CmEvent event, Throwable cause) {
        super(step + ": " + event.type() + ", " + explanation(event), cause);
        this.type = event.type();
        this.status = event.status();
    }

    private static String explanation(CmEvent event) {
        return event.isFailure() || event.type() == CmEventType.DISCONNECTED
                ? event.explanation()
                : event.explanation() + ": this is the event of another step; do not use the ID in other threads,"
                        + " and close it";
    }

    /** {@return the type of the event that reported the failure} */
    public CmEventType type() {
        return type;
    }

    /** {@return the status of that event: a negative errno, or a positive number whose meaning depends on the type} */
    public int status() {
        return status;
    }

    /** {@return the error as librdmacm's synchronous calls set it: ECONNREFUSED for {@link CmEventType#REJECTED}} */
    public Errno error() {
        return type == CmEventType.REJECTED ? Errno.ECONNREFUSED : Errno.of(Math.abs(status));
    }
}
