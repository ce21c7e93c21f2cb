package io.jverbs.soft.injection;

import io.jverbs.soft.linux.Descriptors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The open files of this process, sockets included, where the system lists them. The first round is not checked: it
 * opens files that stay open, such as those of the JDK's random numbers. The waits between two looks are long enough
 * that the looks cause no garbage collection, which would close files that nobody closes.
 */
final class OpenFiles {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private long before;
    private int rounds;

    private static long count() {
        try {
            return Descriptors.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean areListed() {
        return Files.isDirectory(Descriptors.LIST);
    }

    /** Notes how many files are open. */
    void before() {
        before = areListed() ? count() : 0;
    }

    /** Checks that no more files are open than before. A thread may close some of them a little later. */
    void check(List<String> errors) {
        if (!areListed() || rounds++ == 0) {
            return;
        }
        long now = count();
        for (long deadline = System.nanoTime() + DEADLINE_NANOS; now > before
                && System.nanoTime() < deadline; now = count()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (now > before) {
            errors.add(now - before + " more files are open than before");
        }
    }
}
