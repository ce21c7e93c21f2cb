package io.jverbs.ffm.abi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads every layout and constant, and prints their number. */
public final class LoadProgram {

    private LoadProgram() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception if a class cannot be loaded
     */
    public static void main(String[] args) throws Exception {
        int layouts = 0;
        for (var type : GeneratedFacts.types()) {
            layouts += type.layout().byteSize() > 0 ? 1 : 0;
        }
        int constants = GeneratedFacts.constants().size();
        boolean loaded = Files.readString(Path.of("/proc/self/maps")).contains("libibverbs");
        System.out.println(layouts + " layouts, " + constants + " constants, libibverbs loaded: " + loaded
                + ", a restricted call: " + restrictedCall());
    }

    /** Returns how a restricted call ended. It must fail; otherwise the JVM was not started as this test needs it. */
    private static String restrictedCall() throws ReflectiveOperationException {
        try {
            MemorySegment.class.getMethod("reinterpret", long.class)
                    .invoke(MemorySegment.NULL, 1L);
            return "made";
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getSimpleName();
        }
    }
}
