package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jverbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Makes system calls fail in this thread and in the threads that it starts, with a filter of seccomp(2). */
public final class ForbiddenCalls {
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int PR_SET_SECCOMP = 22;
    private static final int SECCOMP_MODE_FILTER = 2;
    private static final int SECCOMP_RET_ALLOW = 0x7FFF0000;
    private static final int SECCOMP_RET_ERRNO = 0x00050000;

    // BPF instructions: load the word at offset k; skip the next jt or jf instructions; return k
    private static final int LOAD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int INSTRUCTIONS = 4;
    // the layouts of struct sock_filter and struct sock_fprog
    private static final int FILTER_BYTES = 8;
    private static final int PROGRAM_BYTES = 16;
    private static final int PROGRAM_FILTER = 8;

    private ForbiddenCalls() {}

    /** Makes a system call fail with EPERM for the life of the thread, as the seccomp profile of a container may. */
    public static void forbid(String call) {
        refuse(call, Errno.EPERM);
    }

    /** Makes a system call fail with an errno for the life of the thread. The call has no effect. */
    @SuppressWarnings("restricted")
    public static void refuse(String call, Errno errno) {
        Linker linker = Linker.nativeLinker();
        MethodHandle prctl = linker.downcallHandle(linker.defaultLookup().find("prctl").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment filter = arena.allocate(INSTRUCTIONS * FILTER_BYTES, Integer.BYTES);
            // the system call number is the first word of struct seccomp_data
            put(filter, 0, LOAD, 0, 0, 0);
            put(filter, 1, JUMP_IF_EQUAL, 0, 1, number(call));
            put(filter, 2, RETURN, 0, 0, SECCOMP_RET_ERRNO | errno.code());
            put(filter, 3, RETURN, 0, 0, SECCOMP_RET_ALLOW);
            MemorySegment program = arena.allocate(PROGRAM_BYTES, Long.BYTES);
            program.set(JAVA_SHORT, 0, (short) INSTRUCTIONS);
            program.set(ADDRESS, PROGRAM_FILTER, filter);
            int privileges = (int) prctl.invokeExact(PR_SET_NO_NEW_PRIVS, 1L, MemorySegment.NULL, 0L, 0L);
            int result = (int) prctl.invokeExact(PR_SET_SECCOMP, (long) SECCOMP_MODE_FILTER, program, 0L, 0L);
            if (privileges != 0 || result != 0) {
                throw new AssertionError("prctl: " + privileges + ", " + result);
            }
        } catch (Throwable e) {
            throw new AssertionError("cannot filter " + call, e);
        }
    }

    private static void put(MemorySegment filter, int index, int code, int jt, int jf, int k) {
        int at = index * FILTER_BYTES;
        filter.set(JAVA_SHORT, at, (short) code);
        filter.set(JAVA_BYTE, at + 2L, (byte) jt);
        filter.set(JAVA_BYTE, at + 3L, (byte) jf);
        filter.set(JAVA_INT, at + 4L, k);
    }

    private static int number(String call) {
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        return switch (call) {
            case "recvmmsg" -> arm ? 243 : 299;
            case "sendmmsg" -> arm ? 269 : 307;
            case "sendmsg" -> arm ? 211 : 46;
            case "sendto" -> arm ? 206 : 44;
            default -> throw new IllegalArgumentException(
                    call + " is unknown: allowed are recvmmsg, sendmmsg, sendmsg and sendto");
        };
    }
}
