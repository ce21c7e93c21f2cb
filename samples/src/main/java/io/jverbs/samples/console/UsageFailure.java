package io.jverbs.samples.console;

import java.io.Serial;

/**
 * Thrown when an option is wrong together with others, for the device, or because of the file that it names. The
 * program appends to the message where the options are described.
 */
public final class UsageFailure extends SampleFailure {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates a failure.
     *
     * @param sentence the option, its value, why it is wrong, and what is allowed
     */
    public UsageFailure(String sentence) {
        super(sentence);
    }
}
