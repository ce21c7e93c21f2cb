package io.jverbs.ffm.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A C compiler that evaluates expressions with the headers of rdma-core. */
final class Compiler {

    /** System property: if it is true, a missing compiler or header fails the test instead of skipping it. */
    static final String REQUIRED = "jverbs.abi.required";

    private static final long BEFORE = 0x6a76657262733c3cL;
    private static final long AFTER = 0x3e3e736272657677L;

    private final String command;

    private Compiler(String command) {
        this.command = command;
    }

    /**
     * Returns the compiler for this machine, which must be x86-64. Aborts the test if the compiler or the headers are
     * missing.
     */
    static Compiler x86() {
        if (!System.getProperty("os.name").equals("Linux") || !System.getProperty("os.arch").equals("amd64")) {
            missing("this is not Linux on x86-64");
        }
        return checked("gcc");
    }

    /** Returns the cross compiler for aarch64. Aborts the test if the compiler or the headers are missing. */
    static Compiler aarch64() {
        return checked("aarch64-linux-gnu-gcc");
    }

    static Compiler checked(String command) {
        if (!works(command, "--version")) {
            missing(command + " was not found");
        }
        for (var header : List.of("infiniband/verbs.h", "rdma/rdma_cma.h")) {
            if (!Files.exists(Path.of("/usr/include", header))) {
                missing("/usr/include/" + header + " does not exist: install libibverbs-dev and librdmacm-dev");
            }
        }
        var installed = output("pkg-config", "--modversion", "libibverbs");
        var recorded = recordedVersion();
        if (!installed.isEmpty() && !installed.equals(recorded)) {
            missing("the headers are of libibverbs " + installed + ", but the classes were generated from " + recorded);
        }
        return new Compiler(command);
    }

    private static void missing(String reason) {
        if (Boolean.getBoolean(REQUIRED)) {
            fail(reason + ", and " + REQUIRED + " is true");
        }
        abort(reason);
    }

    private static String recordedVersion() {
        try {
            var versions = Files.readString(Path.of(System.getProperty("jverbs.ffm.jextract"), "VERSIONS"));
            var version = Pattern.compile("libibverbs ([0-9.]+)").matcher(versions);
            return version.find() ? version.group(1) : fail("VERSIONS contains no version of libibverbs: " + versions);
        } catch (IOException e) {
            return fail(e);
        }
    }

    /** Returns the values of the facts' expressions, in order. */
    long[] evaluate(Path folder, List<Fact> facts) throws IOException {
        var source = new StringBuilder("""
                #include <stddef.h>
                #include <stdint.h>
                #include <infiniband/verbs.h>
                #include <rdma/rdma_cma.h>
                #include <rdma/rdma_verbs.h>
                const unsigned long long values[] = {
                """);
        source.append(BEFORE).append("ULL,\n");
        for (var fact : facts) {
            source.append("(unsigned long long) (").append(fact.expression()).append("),\n");
        }
        source.append(AFTER).append("ULL };\n");
        var program = Files.writeString(folder.resolve("facts.c"), source);
        var object = folder.resolve("facts.o");
        assertEquals("", output(command, "-c", "-o", object.toString(), program.toString()));
        return read(Files.readAllBytes(object), facts.size());
    }

    private static long[] read(byte[] object, int count) {
        var buffer = ByteBuffer.wrap(object).order(ByteOrder.LITTLE_ENDIAN);
        int position = 0;
        while (buffer.getLong(position) != BEFORE) {
            position++;
        }
        var values = new long[count];
        buffer.position(position + Long.BYTES).slice().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
        assertEquals(AFTER, buffer.getLong(position + (count + 1) * Long.BYTES));
        return values;
    }

    private static boolean works(String... command) {
        try {
            return finish(start(command)) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns what the command printed to both streams, without surrounding white space. Empty if it could not be
     * started.
     */
    private static String output(String... command) {
        try {
            var process = start(command);
            var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            finish(process);
            return printed.strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static int finish(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return fail(e);
        }
    }
}
