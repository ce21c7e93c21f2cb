package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.jverbs.ffm.ibverbs.LibIbverbs;
import io.jverbs.ffm.ibverbs.LibRdmacm;
import io.jverbs.ffm.ibverbs.verbs_context;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the hand-written function types equal the generated ones, except that addresses are integers. */
class FunctionTypesTest {

    @ParameterizedTest
    @EnumSource
    void exportedFunctionHasItsGeneratedType(IbverbsFunction function) throws ReflectiveOperationException {
        Libraries.assumeIbverbs();
        var generated = (FunctionDescriptor) LibIbverbs.class.getMethod(function.symbol() + "$descriptor").invoke(null);
        assertEquals(withoutPointers(generated), withoutPointers(function.type()));
    }

    @ParameterizedTest
    @EnumSource
    void functionOfLibrdmacmHasItsGeneratedType(RdmacmFunction function) throws ReflectiveOperationException {
        Libraries.assumeRdmacm();
        var generated = (FunctionDescriptor) LibRdmacm.class.getMethod(function.symbol() + "$descriptor").invoke(null);
        assertEquals(withoutPointers(generated), withoutPointers(function.type()));
    }

    @ParameterizedTest
    @EnumSource
    void memberOfTheContextHasItsGeneratedType(ContextOp op) {
        var generated = RecordingStruct.descriptor(verbs_context.class, op.member());
        assertEquals(withoutPointers(generated), withoutPointers(op.type()));
    }

    @ParameterizedTest
    @EnumSource
    void aDifferentTypeIsDetected(ContextOp op) {
        var generated = RecordingStruct.descriptor(verbs_context.class, op.member());
        assertNotEquals(withoutPointers(generated),
                withoutPointers(op.type().appendArgumentLayouts(ValueLayout.JAVA_INT)));
    }

    private static FunctionDescriptor withoutPointers(FunctionDescriptor type) {
        var parameters = type.argumentLayouts().stream().map(FunctionTypesTest::plain).toArray(MemoryLayout[]::new);
        return type.returnLayout().map(result -> FunctionDescriptor.of(plain(result), parameters))
                .orElseGet(() -> FunctionDescriptor.ofVoid(parameters));
    }

    private static MemoryLayout plain(MemoryLayout layout) {
        return layout instanceof AddressLayout
                ? Linker.nativeLinker().canonicalLayouts().get("long")
                : layout.withoutName();
    }
}
