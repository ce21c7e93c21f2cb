package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system property jverbs.soft.udp, in JVMs with and without native access. */
@InOtherProcesses
final class SocketsFactoryTest {
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String DENY = "--illegal-native-access=deny";
    private static final int DENY_SINCE = 24;

    @TempDir
    private Path folder;

    /** Runs the program. A JVM that has an option for it denies native access that is not enabled. */
    private ChildJvm.Result select(String... options) throws Exception {
        return select(List.of(), options);
    }

    private ChildJvm.Result select(List<String> forbidden, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        if (Runtime.version().feature() >= DENY_SINCE) {
            all.add(DENY);
        }
        all.addAll(List.of("-cp", TestJvm.classPath(), PrintSockets.class.getName()));
        all.addAll(forbidden);
        return ChildJvm.run(folder, all);
    }

    private static void assertSelected(String sockets, ChildJvm.Result result) {
        assertEquals("", result.err());
        assertEquals(sockets + System.lineSeparator(), result.out());
        assertEquals(0, result.exit());
    }

    private static void assumeLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux")
                && Set.of("amd64", "aarch64").contains(System.getProperty("os.arch")),
                "this is not Linux on amd64 or aarch64");
    }

    @Test
    void withoutNativeAccessJavaSocketsAreUsedWithoutAWarning() throws Exception {
        assertSelected("nio", select());
    }

    @Test
    void withNativeAccessLinuxSocketsAreUsed() throws Exception {
        assumeLinux();
        assertSelected("linux", select(NATIVE_ACCESS));
        assertSelected("linux", select(NATIVE_ACCESS, "-Djverbs.soft.udp=linux"));
    }

    @Test
    void nioIsSelectedDespiteNativeAccess() throws Exception {
        assertSelected("nio", select(NATIVE_ACCESS, "-Djverbs.soft.udp=nio"));
    }

    @Test
    void linuxWithoutNativeAccessIsRefusedWithTheOptionThatEnablesIt() throws Exception {
        assumeLinux();
        ChildJvm.Result result = select("-Djverbs.soft.udp=linux");

        assertEquals(1, result.exit());
        assertTrue(result.err().contains("jverbs.soft.udp=linux: native access is not enabled: start Java with "
                + NATIVE_ACCESS), result.err());
    }

    @Test
    void withoutRecvmmsgJavaSocketsAreUsed() throws Exception {
        assumeLinux();
        List<String> forbidden = List.of("recvmmsg");
        assertSelected("nio", select(forbidden, NATIVE_ACCESS));

        ChildJvm.Result result = select(forbidden, NATIVE_ACCESS, "-Djverbs.soft.udp=linux");
        assertEquals(1, result.exit());
        assertTrue(result.err().contains("jverbs.soft.udp=linux: no UDP socket with UDP_SEGMENT, UDP_GRO and recvmmsg "
                + "(recvmmsg: Operation not permitted)"), result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NIO", "epoll"})
    void anUnknownValueIsRefusedWithTheAllowedOnes(String value) throws Exception {
        ChildJvm.Result result = select("-Djverbs.soft.udp=" + value);

        assertEquals(1, result.exit());
        assertTrue(result.err().contains("system property jverbs.soft.udp=" + value + ": allowed are auto, nio,"
                + " linux; see docs/devices.md"), result.err());
    }
}
