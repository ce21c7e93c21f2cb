package io.jverbs.samples;

import java.io.Serial;

/** A sample cannot do what it is asked to do, for a reason that its message tells in one sentence. */
public class SampleFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes a failure.
     *
     * @param sentence what went wrong and, where it is known, what would help
     */
    public SampleFailure(String sentence) {
        super(sentence);
    }
}
