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
 * Another JVM, on rxe0 in the network namespace of the C programs, which runs one sample after the other: to start a
 * JVM takes much longer than a sample. As the C programs, it runs on processor 0. Not thread-safe.
 */
public final class SamplesJvm implements AutoCloseable {
    private static final String ENDED = "ended with status ";
    /** How long the JVM may take to start and to load the classes. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(180);

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    /**
     * Starts the JVM.
     *
     * @param settings the settings of this JVM
     * @param first a first sample, which only loads the classes
     */
    public SamplesJvm(InteropSettings settings, List<String> first) throws Exception {
        List<String> command = new ArrayList<>(settings.programPrefix());
        command.addAll(List.of("taskset", "-c", "0"));
        command.addAll(settings.jvm("native:rxe0", SamplesJvm.class.getName(), List.of()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = process.inputReader(StandardCharsets.UTF_8);
        input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        start(first);
        await(START_TIMEOUT);
    }

    /** Runs the samples whose words are the lines of standard input. */
    public static void main(String[] args) throws IOException {
        BufferedReader words = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        for (String line = words.readLine(); line != null; line = words.readLine()) {
            out.println(ENDED + Run.to(out, line.split(" ")));
        }
    }

    /** Starts a sample; the one before has been awaited. */
    public void start(List<String> words) {
        input.println(String.join(" ", words));
    }

    /** Waits until the sample ends; kills the JVM at the time limit. */
    public Outcome await() throws InterruptedException, ExecutionException {
        return await(InteropSettings.TIMEOUT);
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    private Outcome await(Duration timeout) throws InterruptedException, ExecutionException {
        List<String> lines = new ArrayList<>();
        CompletableFuture<String> status = CompletableFuture.supplyAsync(() -> read(lines));
        try {
            return new Outcome(status.get(timeout.toMillis(), MILLISECONDS), lines);
        } catch (TimeoutException e) {
            process.destroyForcibly().waitFor();
            status.exceptionally(failure -> "").join();
            return new Outcome("none within " + timeout.toSeconds() + " s", lines);
        }
    }

    private String read(List<String> lines) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(ENDED)) {
                    return line.substring(ENDED.length());
                }
                lines.add(line);
            }
            return "none";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the JVM. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
