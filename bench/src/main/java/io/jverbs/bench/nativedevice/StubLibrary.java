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

/** A libibverbs in memory with the baseline's loops in it, compiled for this JVM and in the place of the real one. */
@SuppressWarnings("restricted")
final class StubLibrary {
    private static final List<String> SOURCES = List.of("stub_provider.c", "baseline.c");
    private static final String INSTALL = "The C side cannot be compiled: install gcc and rdma-core's headers"
            + " (libibverbs-dev on Debian and Ubuntu, rdma-core-devel on Fedora)";

    private final SymbolLookup symbols;

    private StubLibrary(Path file) {
        symbols = SymbolLookup.libraryLookup(file, Arena.global());
        System.setProperty(NativeLibrary.IBVERBS_PROPERTY, file.toString());
        if (!(NativeLibrary.ibverbs() instanceof NativeLibrary.Usable)) {
            throw new IllegalStateException(NativeLibrary.ibverbs().toString());
        }
    }

    /** Compiles and loads it when first asked. */
    static StubLibrary load() {
        return Loaded.LIBRARY;
    }

    MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbols.find(name).orElseThrow(), type);
    }

    private static final class Loaded {
        static final StubLibrary LIBRARY = new StubLibrary(compile());
    }

    /** Whether the C side can be compiled here. */
    public static final class Compiler implements Needs.Condition {
        /** For the suite. */
        public Compiler() {
            // nothing is kept
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
            // Files go in the reverse order of their naming, the folder last.
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
