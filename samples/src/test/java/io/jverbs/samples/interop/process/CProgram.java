package io.jverbs.samples.interop.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A running program of libibverbs or perftest, on rxe0. It runs on processor 0, since it polls, as this JVM does on the
 * other processor.
 */
public final class CProgram {
    private final Process process;

    private CProgram(Process process) {
        this.process = process;
    }

    /**
     * Starts a ping-pong.
     *
     * @param prefix the words before the command
     * @param type the part of the program's name before {@code pingpong}
     * @param arguments the options and, for a client, the server's address
     */
    public static CProgram start(List<String> prefix, String type, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ibv_" + type + "_pingpong", "-d", "rxe0", "-g", "1"));
        command.addAll(arguments);
        return start(prefix, command);
    }

    /**
     * Starts a program.
     *
     * @param prefix the words before the command
     * @param words the program and its arguments
     */
    public static CProgram start(List<String> prefix, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("timeout", Long.toString(InteropSettings.TIMEOUT.toSeconds()), "taskset", "-c", "0"));
        command.addAll(words);
        return new CProgram(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    public long pid() {
        return process.pid();
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Waits until the program exits or its time limit stops it. */
    public Outcome await() throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(Integer.toString(process.waitFor()), output.lines().toList());
    }
}
