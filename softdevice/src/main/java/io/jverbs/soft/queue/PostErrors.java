package io.jverbs.soft.queue;

/**
 * The exception or Error that ended the latest post of each thread to a queue, after requests of the chain had been
 * accepted. Such a post returns ENOMEM, like a post to a full queue; the message of the exception tells them apart.
 * Thread-safe.
 */
public final class PostErrors {
    private final ThreadLocal<Throwable> latest = new ThreadLocal<>();
    /** Whether there may be something to clear. False in almost every queue, so that a full queue costs no more. */
    private volatile boolean any;
    /** Whether one could not be recorded, because memory was exhausted. */
    private volatile boolean lost;

    /**
     * Records what ended the calling thread's post. Throws nothing.
     *
     * @param cause the exception or Error
     */
    public void record(Throwable cause) {
        any = true;
        try {
            latest.set(cause);
        } catch (Throwable e) {
            lost = true;
        }
    }

    /** Records that the calling thread's post failed because the queue is full. */
    public void clear() {
        if (any) {
            latest.remove();
        }
    }

    /** {@return why the calling thread's latest post returned ENOMEM; null if the queue was full} */
    public String reason() {
        Throwable cause = any ? latest.get() : null;
        if (cause != null) {
            return "the software device posted the requests before it and then failed with " + cause;
        }
        return lost ? "the queue is full, or the memory of the JVM is exhausted" : null;
    }
}
