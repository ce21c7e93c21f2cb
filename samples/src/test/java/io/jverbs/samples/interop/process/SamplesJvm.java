package io.jverbs.samples.interop.process;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.jverbs.samples.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Another JVM, which runs one sample after the other: to start a JVM takes much longer than a sample. Used by one
 * thread.
 */
public final class SamplesJvm implements AutoCloseable {
    private static final String ENDED = "ended with status ";

    private final Process process;
    private final PrintWriter input;
    private final Object lock = new Object();
    /** What the sample has written until now; guarded by the lock, as is the field below. */
    private final List<String> lines = new ArrayList<>();
    private CompletableFuture<String> status = new CompletableFuture<>();
    /** How long the next sample may take: the JVM starts with the first one. */
    private Duration timeout = InteropSettings.JVM_TIMEOUT;

    private SamplesJvm(List<String> command) throws IOException {
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("output of a JVM").start(() -> read(output));
    }

    /** Starts a JVM on rxe0 in the network namespace of the C programs and, as these, on processor 0. */
    public static SamplesJvm onRxe(InteropSettings settings) throws IOException {
        List<String> command = new ArrayList<>(settings.programPrefix());
        command.addAll(List.of("taskset", "-c", "0"));
        command.addAll(settings.jvm("native:rxe0", SamplesJvm.class.getName(), List.of()));
        return new SamplesJvm(command);
    }

    /** Starts a JVM whose channels are all on RDMA. */
    public static SamplesJvm withChannels(InteropSettings settings) throws IOException {
        return new SamplesJvm(ChannelsJvm.command(settings, "always", SamplesJvm.class.getName(), List.of()));
    }

    /** Runs the samples whose words are the lines of standard input. */
    public static void main(String[] args) throws IOException {
        BufferedReader words = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        for (String line = words.readLine(); line != null; line = words.readLine()) {
            out.println(ENDED + Run.to(out, line.split(" ")));
        }
    }

    private void read(BufferedReader output) {
        String end = "none";
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            end = "none but " + e;
        }
        synchronized (lock) {
            status.complete(end);
        }
    }

    private void add(String line) {
        synchronized (lock) {
            if (line.startsWith(ENDED)) {
                status.complete(line.substring(ENDED.length()));
            } else {
                lines.add(line);
            }
        }
    }

    /** Starts a sample; the one before has been awaited, and the JVM runs. */
    public void start(List<String> words) {
        synchronized (lock) {
            lines.clear();
            status = new CompletableFuture<>();
        }
        input.println(String.join(" ", words));
    }

    private List<String> lines() {
        synchronized (lock) {
            return List.copyOf(lines);
        }
    }

    private CompletableFuture<String> status() {
        synchronized (lock) {
            return status;
        }
    }

    /** Waits until a line of the output contains a text, the sample or the JVM ends, or the time is up. */
    public void awaitLine(String text) throws InterruptedException {
        awaitLines(text, 1);
    }

    /** As {@link #awaitLine}, for a number of lines. */
    public void awaitLines(String text, int count) throws InterruptedException {
        Polling.until(() -> lines().stream().filter(line -> line.contains(text)).count() >= count,
                () -> isRunning() && !status().isDone(), timeout);
    }

    /** Waits until the sample ends; kills the JVM at the time limit. */
    public Outcome await() throws InterruptedException, ExecutionException {
        CompletableFuture<String> ended = status();
        Duration limit = timeout;
        timeout = InteropSettings.TIMEOUT;
        try {
            return new Outcome(ended.get(limit.toMillis(), MILLISECONDS), lines());
        } catch (TimeoutException e) {
            process.destroyForcibly().waitFor();
            return new Outcome("none within " + limit.toSeconds() + " s", lines());
        }
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Kills the JVM. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
