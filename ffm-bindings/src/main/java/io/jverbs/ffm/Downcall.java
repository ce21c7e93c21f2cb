package io.jverbs.ffm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A native function, linked when it is first called; it captures errno. Its handle takes the capture segment, then the
 * function's parameters; that of a {@link #throughPointer} takes the function's address before both.
 */
final class Downcall {

    private final FunctionDescriptor type;
    private final Supplier<MethodHandle> linking;
    private volatile MethodHandle handle;

    private Downcall(FunctionDescriptor type, Supplier<MethodHandle> linking) {
        this.type = type;
        this.linking = linking;
    }

    /** An exported function of libibverbs; one that is not there fails with EOPNOTSUPP. */
    static Downcall exported(String symbol, FunctionDescriptor type) {
        return new Downcall(type, () -> switch (NativeLibrary.ibverbs()) {
            case NativeLibrary.Usable library -> library.symbols().find(symbol)
                    .map(address -> Linker.nativeLinker().downcallHandle(address, type, Errno.CAPTURE))
                    .orElseGet(() -> missing(type));
            case NativeLibrary.Unusable unusable -> throw new IllegalStateException(unusable.reason());
        });
    }

    /** A function of the C library. */
    static Downcall libc(String symbol, FunctionDescriptor type, Linker.Option... options) {
        return new Downcall(type, () -> {
            var all = Arrays.copyOf(options, options.length + 1);
            all[options.length] = Errno.CAPTURE;
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().find(symbol).orElseThrow(), type, all);
        });
    }

    /** A function that a struct's member points to. */
    static Downcall throughPointer(FunctionDescriptor type) {
        return new Downcall(type, () -> Linker.nativeLinker().downcallHandle(type, Errno.CAPTURE));
    }

    /** {@return what stands in for an exported function that is not there} It fails with EOPNOTSUPP. */
    static MethodHandle missing(FunctionDescriptor type) {
        return Missing.function(type.toMethodType());
    }

    FunctionDescriptor type() {
        return type;
    }

    MethodHandle handle() {
        var linked = handle;
        if (linked == null) {
            // Two threads may link at the same time: either handle does.
            linked = linking.get();
            handle = linked;
        }
        return linked;
    }

    /** What a call threw: a bad argument found by the linker, since native code throws nothing. */
    static RuntimeException thrown(Throwable throwable) {
        return switch (throwable) {
            case RuntimeException exception -> exception;
            case Error error -> throw error;
            default -> throw new AssertionError(throwable);
        };
    }

    /** Functions that do nothing but fail. */
    private static final class Missing {

        static MethodHandle function(MethodType type) {
            var name = switch (type.returnType().getSimpleName()) {
                case "int" -> "status";
                case "long" -> "pointer";
                default -> "nothing";
            };
            try {
                var body = MethodHandles.lookup().findStatic(Missing.class, name,
                        MethodType.methodType(type.returnType(), MemorySegment.class));
                return MethodHandles.dropArguments(body, 1, type.parameterList());
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        static int status(MemorySegment capture) {
            return Errno.EOPNOTSUPP;
        }

        static long pointer(MemorySegment capture) {
            Errno.set(capture, Errno.EOPNOTSUPP);
            return 0;
        }

        static void nothing(MemorySegment capture) {}
    }
}
