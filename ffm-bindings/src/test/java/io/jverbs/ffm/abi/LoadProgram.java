package io.jverbs.ffm.abi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads every layout and constant, and prints what came of it. */
public final class LoadProgram {

    private LoadProgram() {}

    /**
     * Runs it.
     *
     * @param args none
     * @throws Exception if something cannot be loaded
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

    /**
     * Whether the JVM lets a restricted call through, as it should not: the JVM would be the wrong one for this test.
     */
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
