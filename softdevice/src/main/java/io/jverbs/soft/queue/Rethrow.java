package io.jverbs.soft.queue;

/** Rethrows what was caught as a {@link Throwable} and can only be unchecked. */
public final class Rethrow {
    private Rethrow() {}

    /**
     * Throws the cause if it is an Error; otherwise returns it as an exception for the caller to throw. A checked
     * exception is wrapped in an {@link IllegalStateException}.
     *
     * @param cause an unchecked exception or an Error
     * @return the exception
     * @throws Error if the cause is an Error
     */
    public static RuntimeException of(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : new IllegalStateException(cause);
    }
}
