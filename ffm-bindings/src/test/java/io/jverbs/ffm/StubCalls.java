package io.jverbs.ffm;

import java.lang.foreign.SymbolLookup;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Calls functions of a {@link StubLibrary}, and prints what differs from what is expected. */
abstract class StubCalls {

    private final SymbolLookup symbols;
    private final SortedSet<String> untested;

    StubCalls(NativeLibrary library, Collection<String> functions) {
        symbols = ((NativeLibrary.Usable) library).symbols();
        untested = new TreeSet<>(functions);
    }

    /** Returns the names of the functions that were not called. */
    final SortedSet<String> untested() {
        return untested;
    }

    static Object nothing(Runnable procedure) {
        procedure.run();
        return null;
    }

    final void setResult(long result, long errno) {
        NativeMemory.putLong(address("stub_result"), result);
        NativeMemory.putLong(address("stub_errno"), errno);
    }

    final void check(String function, Object result, Supplier<Object> verb, long... arguments) {
        NativeMemory.putLong(address("stub_called"), 0);
        equal("result of " + function, String.valueOf(result), String.valueOf(verb.get()));
        equal("call", function + Arrays.toString(arguments), called());
        untested.remove(function);
    }

    private String called() {
        long name = NativeMemory.getLong(address("stub_called"));
        if (name == 0) {
            return "none";
        }
        var arguments = new long[(int) NativeMemory.getLong(address("stub_count"))];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = NativeMemory.getLong(address("stub_arguments") + (long) i * Long.BYTES);
        }
        return NativeMemory.string(name) + Arrays.toString(arguments);
    }

    private long address(String symbol) {
        return symbols.find(symbol).orElseThrow().address();
    }

    static void equal(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            System.out.println(what + ": expected " + expected + ", was " + actual);
        }
    }
}
