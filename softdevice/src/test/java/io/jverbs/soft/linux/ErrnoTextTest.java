package io.jverbs.soft.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that error messages of Linux sockets equal those of strerror(3), and therefore those of Java's sockets. */
@EnabledOnOs(OS.LINUX)
final class ErrnoTextTest {

    @SuppressWarnings("restricted")
    private static String strerror(int errno) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle function = linker.downcallHandle(linker.defaultLookup().find("strerror").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        MemorySegment text = (MemorySegment) function.invokeExact(errno);
        return text.reinterpret(Byte.MAX_VALUE).getString(0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void everyErrnoHasTheTextOfStrerror(Errno error) throws Throwable {
        assertEquals(strerror(error.code()), error.description());
        assertEquals("sendto: " + error.description(),
                UdpSocket.failure("sendto", error.code()).getMessage());
    }

    /**
     * The errors of send(2), recv(2), bind(2), setsockopt(2), epoll_ctl(2), ip(7), ipv6(7) and udp(7), by their numbers
     * on Linux.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 9, 11, 12, 13, 14, 17, 19, 22, 23, 24, 28, 32, 40, 88, 89, 90, 91, 92, 93, 94, 95, 96,
        97, 98, 99, 100, 101, 104, 105, 106, 107, 111, 112, 113})
    void everySocketErrorHasAText(int errno) {
        assertFalse(UdpSocket.failure("sendto", errno).getMessage().contains("errno"));
    }

    @Test
    void anUnreachableNetworkHasTheMessageOfJavaSockets() {
        assertEquals("sendto: Network is unreachable", UdpSocket.failure("sendto", 101).getMessage());
    }
}
