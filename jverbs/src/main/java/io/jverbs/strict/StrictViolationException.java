package io.jverbs.strict;

import java.io.Serial;

/** Thrown by a call that strict mode refuses, see {@link StrictMode#throwing}; the call has done nothing. */
public final class StrictViolationException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Violation violation;

    StrictViolationException(Violation violation) {
        super(violation.toString());
        this.violation = violation;
    }

    /** {@return what was wrong; null after deserialisation} */
    public Violation violation() {
        return violation;
    }
}
