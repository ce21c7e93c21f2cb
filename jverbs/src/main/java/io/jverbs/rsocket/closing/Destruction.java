package io.jverbs.rsocket.closing;

import io.jverbs.Errno;
import io.jverbs.VerbsException;

/** Destroys objects in spite of interrupts. Stateless. */
public final class Destruction {
    private Destruction() {}

    /**
     * Destroys something. Does so again when an interrupt has ended the wait for the acknowledgement of its events,
     * which another thread is processing; the interrupt status is kept.
     *
     * @param destruction fails with EINTR if an interrupt has ended that wait; has no effect on what it has destroyed
     */
    public static void uninterrupted(Runnable destruction) {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (isRepeated(destruction)) {
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isRepeated(Runnable destruction) {
        try {
            destruction.run();
            return false;
        } catch (VerbsException e) {
            if (e.error() != Errno.EINTR) {
                throw e;
            }
            return true;
        }
    }

    /**
     * Runs all steps, also those after one that throws.
     *
     * @param steps the steps, in their order
     * @throws RuntimeException or Error, what the first step that failed has thrown, with the others as suppressed ones
     */
    public static void all(Runnable... steps) {
        Throwable first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof Error e) {
            throw e;
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
    }
}
