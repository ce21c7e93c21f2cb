package io.jverbs.ffm.call;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/**
 * The types of native functions. {@link #HANDLE} and {@link #BUFFER} distinguish pointers that are passed as addresses
 * from those that are passed as segments; see the conventions of the package.
 */
public final class Descriptors {

    public static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT;
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    /** A pointer to an object that the library created, or to registered memory. */
    public static final ValueLayout.OfLong HANDLE = ValueLayout.JAVA_LONG;
    /** A pointer to a struct or a buffer that the caller owns. */
    public static final MemoryLayout BUFFER = ValueLayout.ADDRESS;

    private Descriptors() {}

    public static FunctionDescriptor returning(MemoryLayout result, MemoryLayout... parameters) {
        return FunctionDescriptor.of(result, parameters);
    }

    public static FunctionDescriptor procedure(MemoryLayout... parameters) {
        return FunctionDescriptor.ofVoid(parameters);
    }
}
