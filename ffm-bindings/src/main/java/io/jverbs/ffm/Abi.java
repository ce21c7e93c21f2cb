package io.jverbs.ffm;

import io.jverbs.ffm.ibverbs.pthread_mutex_t;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Optional;

/**
 * The layout of the generated structs on a processor. The structs were generated on x86-64. The only type in them that
 * has another size on other processors is {@code pthread_mutex_t}; fields after it have other offsets there. Immutable.
 */
public enum Abi {

    /** {@code amd64}, on which the structs were generated. */
    X86_64(40),

    /** {@code aarch64}. */
    AARCH64(48);

    /**
     * The ABI of this machine; {@link #X86_64} on an unknown processor, on which the library is {@link
     * NativeLibrary.Unusable}.
     */
    public static final Abi CURRENT = ofArchitecture(System.getProperty("os.arch")).orElse(X86_64);

    private final long mutexBytes;

    Abi(long mutexBytes) {
        this.mutexBytes = mutexBytes;
    }

    static Optional<Abi> ofArchitecture(String name) {
        return switch (name) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    /**
     * {@return the layout of a generated struct on this processor}
     *
     * @param generated the result of {@code layout()} of a generated class
     */
    public GroupLayout layout(GroupLayout generated) {
        return (GroupLayout) translate(generated);
    }

    /**
     * {@return the offset of a field in bytes on this processor}
     *
     * @param generated the result of {@code layout()} of a generated class
     * @param path the name of the field, then the name of a field in that field, and so on
     * @throws IllegalArgumentException if there is no such field
     */
    public long offset(GroupLayout generated, String... path) {
        var elements = new PathElement[path.length];
        for (int i = 0; i < path.length; i++) {
            elements[i] = PathElement.groupElement(path[i]);
        }
        return layout(generated).byteOffset(elements);
    }

    private MemoryLayout translate(MemoryLayout layout) {
        if (this == X86_64) {
            return layout;
        }
        var translated = switch (layout) {
            case UnionLayout mutex when isMutex(mutex) ->
                MemoryLayout.sequenceLayout(mutexBytes / Long.BYTES, ValueLayout.JAVA_LONG);
            case StructLayout struct -> struct(struct);
            case UnionLayout union -> MemoryLayout.unionLayout(
                    union.memberLayouts().stream().map(this::translate).toArray(MemoryLayout[]::new));
            case SequenceLayout sequence ->
                MemoryLayout.sequenceLayout(sequence.elementCount(), translate(sequence.elementLayout()));
            case ValueLayout value -> value;
            case PaddingLayout padding -> padding;
        };
        return layout.name().map(translated::withName).orElse(translated);
    }

    private static boolean isMutex(UnionLayout union) {
        // A member has the name of the field, which does not matter here.
        return union.withoutName().equals(pthread_mutex_t.layout().withoutName());
    }

    /**
     * Lays out the members as C does: each at the next multiple of its alignment, and the size rounded up to the
     * alignment of the struct.
     */
    private StructLayout struct(StructLayout struct) {
        var members = new ArrayList<MemoryLayout>();
        long end = 0;
        for (var member : struct.memberLayouts()) {
            if (member instanceof PaddingLayout) {
                continue;
            }
            var translated = translate(member);
            end = pad(members, end, translated.byteAlignment()) + translated.byteSize();
            members.add(translated);
        }
        pad(members, end, struct.byteAlignment());
        return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
    }

    private static long pad(ArrayList<MemoryLayout> members, long end, long alignment) {
        long gap = Math.floorMod(-end, alignment);
        if (gap > 0) {
            members.add(MemoryLayout.paddingLayout(gap));
        }
        return end + gap;
    }
}
