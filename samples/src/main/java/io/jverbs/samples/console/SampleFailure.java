package io.jverbs.samples.console;

import java.io.Serial;

/**
 * Thrown when a sample cannot do what its arguments ask for. The message is one sentence for the user, which is
 * printed without a stack trace.
 */
public class SampleFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates a failure.
     *
     * @param sentence what went wrong and, where that is known, what to do about it
     */
    public SampleFailure(String sentence) {
        super(sentence);
    }
}
