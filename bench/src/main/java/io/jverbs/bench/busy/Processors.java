package io.jverbs.bench.busy;

import io.jverbs.bench.suite.Needs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processors of this process, and the assignment of processes to one of them by taskset(1). */
final class Processors {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
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
                return Files.exists(STATUS) && run(List.of("taskset", "-p", own())) ? null : "taskset(1) failed";
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

    private static boolean run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectErrorStream(true).start();
        try {
            return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
        if (!run(List.of("taskset", "-apc", list, own()))) {
            throw new IOException("taskset(1) cannot assign this process to the processors " + list);
        }
    }
}
