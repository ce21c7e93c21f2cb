package io.jverbs.ffm;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A shared library that replaces libibverbs and librdmacm. Every function records its name and arguments, sets errno,
 * and returns a configured value. {@link StubProgram} and {@link StubConnectionProgram} use it.
 */
final class StubLibrary {

    private StubLibrary() {}

    /** Compiles a library with the given functions. Aborts the test if gcc is not installed. */
    static Path compile(Path folder, Collection<String> symbols) throws IOException, InterruptedException {
        var source = new StringBuilder("""
                #include <errno.h>
                #include <stdint.h>
                const char *stub_called;
                int64_t stub_arguments[8];
                int64_t stub_count;
                int64_t stub_result;
                int64_t stub_errno;
                """);
        for (var function : IbverbsFunction.values()) {
            if (symbols.contains(function.symbol())) {
                source.append(definition(function.symbol(), function.type()));
            }
        }
        for (var function : RdmacmFunction.values()) {
            if (symbols.contains(function.symbol())) {
                source.append(definition(function.symbol(), function.type()));
            }
        }
        return Gcc.sharedLibrary(folder, source.toString());
    }

    private static String definition(String symbol, FunctionDescriptor type) {
        var parameters = type.argumentLayouts();
        var list = IntStream.range(0, parameters.size()).mapToObj(i -> type(parameters.get(i)) + " a" + i)
                .collect(Collectors.joining(", "));
        var body = IntStream.range(0, parameters.size()).mapToObj(i -> "stub_arguments[" + i + "] = a" + i + ";")
                .collect(Collectors.joining(" "));
        var result = type.returnLayout();
        return result.map(StubLibrary::type).orElse("void") + " " + symbol + "("
                + (list.isEmpty() ? "void" : list) + ") { stub_called = \"" + symbol + "\"; stub_count = "
                + parameters.size() + "; " + body + " errno = stub_errno; "
                + (result.isPresent() ? "return stub_result; }\n" : "}\n");
    }

    private static String type(MemoryLayout layout) {
        return switch (layout) {
            case ValueLayout.OfByte ignored -> "uint8_t";
            case ValueLayout.OfShort ignored -> "uint16_t";
            case ValueLayout.OfInt ignored -> "int32_t";
            default -> "int64_t";
        };
    }
}
