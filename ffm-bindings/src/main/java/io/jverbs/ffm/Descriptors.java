package io.jverbs.ffm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/** Function types: what is passed as an address and what as a segment is told apart, as the package's comment says. */
final class Descriptors {

    static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    /** A pointer to what the library made, or to registered memory. */
    static final ValueLayout.OfLong HANDLE = ValueLayout.JAVA_LONG;
    /** A pointer to what the caller made. */
    static final MemoryLayout BUFFER = ValueLayout.ADDRESS;

    private Descriptors() {}

    static FunctionDescriptor returning(MemoryLayout result, MemoryLayout... parameters) {
        return FunctionDescriptor.of(result, parameters);
    }

    static FunctionDescriptor procedure(MemoryLayout... parameters) {
        return FunctionDescriptor.ofVoid(parameters);
    }
}
