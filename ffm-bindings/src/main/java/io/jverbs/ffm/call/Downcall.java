package io.jverbs.ffm.call;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A native function that captures errno and is linked at the first call. The parameters of its handle are the capture
 * segment and those of the function; the handle of a {@link #throughPointer} has the address of the function before
 * them. Any thread may call any method.
 */
public final class Downcall {

    private final FunctionDescriptor type;
    private final Supplier<MethodHandle> linking;
    private volatile MethodHandle handle;

    private Downcall(FunctionDescriptor type, Supplier<MethodHandle> linking) {
        this.type = type;
        this.linking = linking;
    }

    /**
     * A function that a library exports; if the library does not have it, the call fails with EOPNOTSUPP.
     *
     * @param library returns the symbols of the library, or throws an exception if it cannot be used
     */
    public static Downcall exported(Supplier<SymbolLookup> library, String symbol, FunctionDescriptor type) {
        return new Downcall(type, () -> library.get().find(symbol)
                .map(address -> Linker.nativeLinker().downcallHandle(address, type, Errno.CAPTURE))
                .orElseGet(() -> missing(type)));
    }

    /** A function of the C library. */
    public static Downcall libc(String symbol, FunctionDescriptor type, Linker.Option... options) {
        return new Downcall(type, () -> {
            var all = Arrays.copyOf(options, options.length + 1);
            all[options.length] = Errno.CAPTURE;
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().find(symbol).orElseThrow(), type, all);
        });
    }

    /** A function whose address is in a member of a struct. */
    public static Downcall throughPointer(FunctionDescriptor type) {
        return new Downcall(type, () -> Linker.nativeLinker().downcallHandle(type, Errno.CAPTURE));
    }

    /** {@return a handle that replaces a missing function} It fails with EOPNOTSUPP. */
    public static MethodHandle missing(FunctionDescriptor type) {
        return Missing.function(type.toMethodType());
    }

    public FunctionDescriptor type() {
        return type;
    }

    public MethodHandle handle() {
        var linked = handle;
        if (linked == null) {
            // Two threads may link at the same time; both handles are equivalent.
            linked = linking.get();
            handle = linked;
        }
        return linked;
    }

    /**
     * Converts a throwable of a call to an unchecked exception. It comes from the linker, which found a bad argument;
     * native code throws nothing.
     */
    public static RuntimeException thrown(Throwable throwable) {
        return switch (throwable) {
            case RuntimeException exception -> exception;
            case Error error -> throw error;
            default -> throw new AssertionError(throwable);
        };
    }

    /** The bodies of missing functions: each fails with EOPNOTSUPP, or does nothing if it returns nothing. */
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
