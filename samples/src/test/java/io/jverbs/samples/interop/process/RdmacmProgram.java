package io.jverbs.samples.interop.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running program of rdmacm-utils, or another JVM with a sample. Its output goes to a file. */
public final class RdmacmProgram implements AutoCloseable {
    private final Process process;
    private final Path output;
    private final Duration timeout;

    private RdmacmProgram(Process process, Path output, Duration timeout) {
        this.process = process;
        this.output = output;
        this.timeout = timeout;
    }

    /**
     * Starts a program, which writes each line at once.
     *
     * @param prefix the words before the command
     * @param command the program and its arguments
     */
    public static RdmacmProgram start(List<String> prefix, List<String> command) throws IOException {
        return start(prefix, command, InteropSettings.TIMEOUT);
    }

    /**
     * Starts a program that may run longer than others.
     *
     * @param prefix the words before the command
     * @param command the program and its arguments
     * @param timeout how long it may run
     */
    public static RdmacmProgram start(List<String> prefix, List<String> command, Duration timeout)
            throws IOException {
        Path output = Files.createTempFile("rdmacm", ".txt");
        List<String> words = new ArrayList<>(prefix);
        words.addAll(List.of("stdbuf", "-oL"));
        words.addAll(command);
        return new RdmacmProgram(new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile())
                .start(), output, timeout);
    }

    /** Starts another JVM. */
    public static RdmacmProgram startJvm(List<String> command) throws IOException {
        return start(List.of(), command, InteropSettings.JVM_TIMEOUT);
    }

    /** {@return the lines that the program has written until now} */
    public List<String> lines() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a line of the output contains a text, the program ends or the time is up. */
    public void awaitLine(String text) throws InterruptedException {
        awaitLines(text, 1);
    }

    /** Waits until a number of lines of the output contain a text, the program ends or the time is up. */
    public void awaitLines(String text, int count) throws InterruptedException {
        Polling.until(() -> lines().stream().filter(line -> line.contains(text)).count() >= count, process::isAlive,
                timeout);
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Writes a line to the standard input of the program. */
    public void input(String line) throws IOException {
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        input.write(line + "\n");
        input.flush();
    }

    /** Kills the program with SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits until the program exits; kills it at the time limit. */
    public Outcome await() throws InterruptedException {
        boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        return new Outcome(ended
                ? Integer.toString(process.exitValue())
                : "none within " + timeout.toSeconds() + " s", lines());
    }

    /** Kills the program if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
