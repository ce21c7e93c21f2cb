package io.jverbs.bench.busy;

import io.jverbs.bench.suite.Needs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processors of this process, and the assignment of processes to one of them by taskset(1). */
final class Processors {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    /** The end of what taskset(1) prints of a thread that has ended. */
    private static final String ENDED = "No such process";
    private static final long TIMEOUT_SECONDS = 10;

    private Processors() {}

    /** The system is Linux and has taskset(1). */
    public static final class Assignable implements Needs.Condition {
        /** For the suite. */
        public Assignable() {
            // no state
        }

        @Override
        public String missing() {
            try {
                String error = Files.exists(STATUS)
                        ? errorOf(List.of("taskset", "-p", own()))
                        : "there is no " + STATUS;
                return error == null ? null : "it needs taskset(1) on Linux: " + error;
            } catch (IOException e) {
                return "it needs taskset(1) of util-linux: " + e.getMessage();
            }
        }
    }

    /** The same, and this process may use two processors. */
    public static final class TwoAssignable implements Needs.Condition {
        /** For the suite. */
        public TwoAssignable() {
            // no state
        }

        @Override
        public String missing() {
            String missing = new Assignable().missing();
            try {
                return missing == null && allowed().size() == 1 ? "it needs two processors" : missing;
            } catch (IOException e) {
                return "it cannot read its processors: " + e.getMessage();
            }
        }
    }

    private static String own() {
        return Long.toString(ProcessHandle.current().pid());
    }

    /** {@return the error of a command, or null if it succeeded} */
    private static String errorOf(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return "it did not end within " + TIMEOUT_SECONDS + " s";
            }
            String printed = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.exitValue() == 0 ? null : printed.strip();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } finally {
            process.destroyForcibly();
        }
    }

    /** {@return the numbers of the processors that this process may use} */
    static List<Integer> allowed() throws IOException {
        return parse(allowedList());
    }

    private static String allowedList() throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(ALLOWED)) {
                return line.substring(ALLOWED.length()).strip();
            }
        }
        throw new IOException(STATUS + " has no line " + ALLOWED);
    }

    /**
     * {@return the numbers in a list of the kernel}
     *
     * @param list numbers and ranges, such as {@code 0-3,8}
     */
    static List<Integer> parse(String list) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : list.split(",")) {
            String[] ends = part.split("-", 2);
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                numbers.add(i);
            }
        }
        return numbers;
    }

    /** {@return the program and arguments before a command, to run it on one processor} */
    static List<String> launcher(int number) {
        return List.of("taskset", "-c", Integer.toString(number));
    }

    /**
     * Assigns all threads of this process, and so the processes that it starts later, to one processor.
     *
     * @return assigns all threads of this process to the processors of before
     */
    static Closeable assignThisProcess(int number) throws IOException {
        String before = allowedList();
        assignThisProcess(Integer.toString(number));
        return () -> assignThisProcess(before);
    }

    private static void assignThisProcess(String list) throws IOException {
        long start = System.nanoTime();
        String error;
        do {
            error = errorOf(List.of("taskset", "-apc", list, own()));
            if (error == null) {
                return;
            }
            // taskset(1) stops at a thread that has ended since it listed the threads
        } while (error.endsWith(ENDED) && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS));
        throw new IOException("taskset(1) cannot assign this process to the processors " + list + ": " + error);
    }
}
