package io.jverbs.bench.nativedevice;

import io.jverbs.bench.suite.Needs;
import io.jverbs.ffm.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A libibverbs that works in memory, with the C loops of the baseline. It is compiled and loaded instead of the real
 * one.
 */
@SuppressWarnings("restricted")
final class StubLibrary {
    private static final List<String> SOURCES = List.of("stub_provider.c", "baseline.c");
    private static final String INSTALL = "the C sources cannot be compiled: install gcc and the headers of rdma-core"
            + " (libibverbs-dev on Debian and Ubuntu, rdma-core-devel on Fedora)";

    private final SymbolLookup symbols;

    private StubLibrary(Path file) {
        symbols = SymbolLookup.libraryLookup(file, Arena.global());
        System.setProperty(NativeLibrary.IBVERBS_PROPERTY, file.toString());
        if (!(NativeLibrary.ibverbs() instanceof NativeLibrary.Usable)) {
            throw new IllegalStateException(NativeLibrary.ibverbs().toString());
        }
    }

    /** {@return the library, which the first call compiles and loads} */
    static StubLibrary load() {
        return Loaded.LIBRARY;
    }

    MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbols.find(name).orElseThrow(), type);
    }

    private static final class Loaded {
        static final StubLibrary LIBRARY = new StubLibrary(compile());
    }

    /** The C sources can be compiled on this machine. */
    public static final class Compiler implements Needs.Condition {
        /** For the suite. */
        public Compiler() {
            // no state
        }

        @Override
        public String missing() {
            try {
                run(List.of("gcc", "-fsyntax-only", "-include", "infiniband/verbs.h", "-x", "c", "/dev/null"),
                        Path.of("."));
                return null;
            } catch (IOException e) {
                return INSTALL;
            }
        }
    }

    private static Path compile() {
        try {
            Path folder = Files.createTempDirectory("jverbs-bench");
            List<String> command = new ArrayList<>(List.of("gcc", "-O2", "-shared", "-fPIC", "-o", "libstub.so"));
            for (String source : SOURCES) {
                try (InputStream code = StubLibrary.class.getResourceAsStream(source)) {
                    Files.copy(code, folder.resolve(source));
                }
                command.add(source);
            }
            Path library = folder.resolve("libstub.so");
            // The JVM deletes them in reverse order: the files, then the folder.
            folder.toFile().deleteOnExit();
            library.toFile().deleteOnExit();
            SOURCES.forEach(source -> folder.resolve(source).toFile().deleteOnExit());
            run(command, folder);
            return library;
        } catch (IOException e) {
            throw new IllegalStateException(INSTALL, e);
        }
    }

    private static void run(List<String> command, Path folder) throws IOException {
        Process compiler = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (compiler.waitFor() != 0) {
                throw new IOException(output);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
