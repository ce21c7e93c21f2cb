package io.jverbs.bench.busy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes that compute without a pause, each on one processor, in turn. They end with this process. */
public final class BusyLoops implements Closeable {
    private final List<Process> processes = new ArrayList<>();

    /**
     * Starts the processes.
     *
     * @param count how many
     * @throws IOException if that fails
     */
    BusyLoops(int count) throws IOException {
        List<Integer> processors = count == 0 ? List.of() : Processors.allowed();
        try {
            for (int i = 0; i < count; i++) {
                start(processors.get(i % processors.size()));
            }
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void start(int processor) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(Processors.launcher(processor));
        command.addAll(List.of(java, "-Xmx16m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                BusyLoops.class.getName()));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        // the process writes a byte when it is about to compute
        if (process.getInputStream().read() < 0) {
            throw new IOException("the busy loop on processor " + processor + " has ended");
        }
    }

    /** Ends the processes. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.clear();
    }

    /**
     * The main method of a process.
     *
     * @param args nothing
     */
    public static void main(String... args) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                // the end of the parent closes the pipe
                while (System.in.read() >= 0) {
                    // the parent writes nothing
                }
            } catch (IOException e) {
                // as if the pipe were closed
            }
            Runtime.getRuntime().halt(0);
        });
        System.out.write('1');
        System.out.flush();
        long sum = 0;
        while (sum != Long.MIN_VALUE) {
            sum += sum + 1 | 1;
            sum &= Long.MAX_VALUE;
        }
    }
}
