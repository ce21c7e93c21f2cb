package io.jverbs.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A struct whose function pointers point to upcall stubs that record their arguments. The stubs are made with the
 * generated types, so they receive what a C function would receive.
 */
final class RecordingStruct {

    /**
     * One call of a member.
     *
     * @param member name of the member
     * @param arguments its arguments; addresses are given as integers
     */
    record Called(String member, List<Long> arguments) {

        static Called with(String member, long... arguments) {
            return new Called(member, java.util.Arrays.stream(arguments).boxed().toList());
        }
    }

    private final Class<?> generated;
    private final MemorySegment segment;
    private final Arena arena;
    private final List<Called> calls = new ArrayList<>();
    private final Map<String, Long> results = new HashMap<>();

    /** Uses memory that the caller owns and that is large enough for the struct. */
    RecordingStruct(Class<?> generated, MemorySegment segment, Arena arena) {
        this.generated = generated;
        this.segment = segment;
        this.arena = arena;
    }

    /** Points every function pointer member to a recording function. */
    RecordingStruct withAllMembers() {
        for (var member : generated.getDeclaredClasses()) {
            with(member.getSimpleName());
        }
        return this;
    }

    RecordingStruct with(String member) {
        set(member, function(member).address());
        return this;
    }

    RecordingStruct without(String member) {
        set(member, 0);
        return this;
    }

    private void set(String member, long address) {
        segment.set(ValueLayout.JAVA_LONG, Abi.CURRENT.offset(layout(generated), member), address);
    }

    void returns(String member, long result) {
        results.put(member, result);
    }

    /** Returns the calls recorded since the last call of this method. */
    List<Called> calls() {
        var made = List.copyOf(calls);
        calls.clear();
        return made;
    }

    private MemorySegment function(String member) {
        try {
            var type = Class.forName(generated.getName() + "$" + member);
            var function = Class.forName(type.getName() + "$Function");
            var result = descriptor(generated, member).returnLayout().orElse(null);
            var proxy = Proxy.newProxyInstance(function.getClassLoader(), new Class<?>[] {function},
                    (self, method, arguments) -> {
                        calls.add(new Called(member, arguments == null ? List.of() : numbers(arguments)));
                        return convert(results.getOrDefault(member, 0L), result);
                    });
            return (MemorySegment) type.getMethod("allocate", function, Arena.class).invoke(null, proxy, arena);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Long> numbers(Object[] arguments) {
        return java.util.Arrays.stream(arguments)
                .map(argument -> argument instanceof MemorySegment pointer
                        ? pointer.address()
                        : ((Number) argument).longValue())
                .toList();
    }

    private static Object convert(long value, java.lang.foreign.MemoryLayout type) {
        return switch (type) {
            case null -> null;
            case ValueLayout.OfByte ignored -> (byte) value;
            case ValueLayout.OfShort ignored -> (short) value;
            case ValueLayout.OfInt ignored -> (int) value;
            case ValueLayout.OfLong ignored -> value;
            default -> MemorySegment.ofAddress(value);
        };
    }

    /** Returns the generated type of a member. */
    static FunctionDescriptor descriptor(Class<?> generated, String member) {
        try {
            return (FunctionDescriptor) Class.forName(generated.getName() + "$" + member).getMethod("descriptor")
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static GroupLayout layout(Class<?> generated) {
        try {
            return (GroupLayout) generated.getMethod("layout").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
