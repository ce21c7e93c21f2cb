package io.jverbs.strict;

import java.io.Serial;

/** Thrown by a call that strict mode rejects; the call has had no effect. See {@link StrictMode#throwing}. */
public final class StrictViolationException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Violation violation;

    StrictViolationException(Violation violation) {
        super(violation.toString());
        this.violation = violation;
    }

    /** {@return the violation; null after deserialisation} */
    public Violation violation() {
        return violation;
    }
}
