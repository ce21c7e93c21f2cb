package io.jverbs.samples.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running program of rdmacm-utils, or another JVM with a sample. Its output goes to a file. */
final class RdmacmProgram implements AutoCloseable {
    private static final long POLL_MILLIS = 20;

    private final Process process;
    private final Path output;

    private RdmacmProgram(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a program, which writes each line at once.
     *
     * @param prefix the words before the command
     * @param command the program and its arguments
     */
    static RdmacmProgram start(List<String> prefix, List<String> command) throws IOException {
        Path output = Files.createTempFile("rdmacm", ".txt");
        List<String> words = new ArrayList<>(prefix);
        words.addAll(List.of("stdbuf", "-oL"));
        words.addAll(command);
        return new RdmacmProgram(new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile())
                .start(), output);
    }

    private List<String> lines() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8).lines().toList();
    }

    /** Waits until a line of the output contains a text, the program ends or the time is up. */
    void awaitLine(String text) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PingPongInterop.TIMEOUT.toNanos();
        while (lines().stream().noneMatch(line -> line.contains(text)) && process.isAlive()
                && System.nanoTime() < deadline) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Kills the program with SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits until the program exits; kills it at the time limit. */
    Outcome await() throws IOException, InterruptedException {
        boolean ended = process.waitFor(PingPongInterop.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        return new Outcome(ended
                ? Integer.toString(process.exitValue())
                : "none within " + PingPongInterop.TIMEOUT.toSeconds() + " s", lines());
    }

    /** Kills the program if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
