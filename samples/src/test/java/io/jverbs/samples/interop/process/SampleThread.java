package io.jverbs.samples.interop.process;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A sample that runs in a daemon thread of this JVM. Its output is captured with that of its log, which goes to
 * {@link System#err}: therefore those that run at the same time are awaited in the reverse order of their start.
 */
public final class SampleThread {
    private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(5);

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream standardError = System.err;
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private final CompletableFuture<Integer> status;

    private SampleThread(String... arguments) {
        System.setErr(new PrintStream(output, true, StandardCharsets.UTF_8));
        status = TwoSides.inThread(() -> {
            thread.complete(Thread.currentThread());
            return Run.to(new PrintWriter(output, true, StandardCharsets.UTF_8), arguments);
        });
    }

    /** Starts a sample, whose name is the first argument. */
    public static SampleThread start(String... arguments) {
        return new SampleThread(arguments);
    }

    public boolean isRunning() {
        return !status.isDone();
    }

    /** Waits until the sample ends, and interrupts it at the time limit; afterwards it may still run. */
    public Outcome await() throws InterruptedException {
        return await(InteropSettings.TIMEOUT);
    }

    /** As {@link #await()}, with another time limit. */
    public Outcome await(Duration timeout) throws InterruptedException {
        String text = statusWithin(timeout);
        if (isRunning()) {
            thread.join().interrupt();
            text += ", " + statusWithin(INTERRUPT_TIMEOUT) + " of the interrupt";
        }
        return ended(text);
    }

    /** Interrupts the sample, and waits until it ends. */
    public Outcome interrupt() throws InterruptedException {
        thread.join().interrupt();
        return ended(statusWithin(INTERRUPT_TIMEOUT));
    }

    private Outcome ended(String text) {
        System.setErr(standardError);
        return new Outcome(text, lines());
    }

    private List<String> lines() {
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** Waits until a line of the output contains a text, the sample ends or the time is up. */
    public void awaitLine(String text) throws InterruptedException {
        awaitLines(text, 1);
    }

    /** Waits until a number of lines of the output contain a text, the sample ends or the time is up. */
    public void awaitLines(String text, int count) throws InterruptedException {
        Polling.until(() -> lines().stream().filter(line -> line.contains(text)).count() >= count, this::isRunning);
    }

    private String statusWithin(Duration timeout) throws InterruptedException {
        try {
            return Integer.toString(status.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return "none within " + timeout.toSeconds() + " s";
        } catch (ExecutionException e) {
            return "none but " + e.getCause();
        }
    }
}
