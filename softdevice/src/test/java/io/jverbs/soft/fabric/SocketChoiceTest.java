package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The property jverbs.soft.udp, in JVMs with and without native access. */
final class SocketChoiceTest {
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String DENY = "--illegal-native-access=deny";
    private static final int DENY_SINCE = 24;

    @TempDir
    private Path folder;

    /** Whatever is not allowed is not tried: where the JVM can be told to refuse it, it is. */
    private ChildJvm.Result choose(String... options) throws Exception {
        return choose(List.of(), options);
    }

    private ChildJvm.Result choose(List<String> forbidden, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        if (Runtime.version().feature() >= DENY_SINCE) {
            all.add(DENY);
        }
        all.addAll(List.of("-cp", TestJvm.classPath(), ChoiceProgram.class.getName()));
        all.addAll(forbidden);
        return ChildJvm.run(folder, all);
    }

    private static void assertChosen(String sockets, ChildJvm.Result result) {
        assertEquals("", result.err());
        assertEquals(sockets + System.lineSeparator(), result.out());
        assertEquals(0, result.exit());
    }

    private static void assumeLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux")
                && Set.of("amd64", "aarch64").contains(System.getProperty("os.arch")),
                "this is no Linux that is known");
    }

    @Test
    void withoutNativeAccessTheSocketsAreThoseOfJavaAndNothingIsComplainedOf() throws Exception {
        assertChosen("nio", choose());
    }

    @Test
    void withNativeAccessTheSocketsAreThoseOfLinux() throws Exception {
        assumeLinux();
        assertChosen("linux", choose(NATIVE_ACCESS));
        assertChosen("linux", choose(NATIVE_ACCESS, "-Djverbs.soft.udp=linux"));
    }

    @Test
    void nioIsChosenThoughThereIsNativeAccess() throws Exception {
        assertChosen("nio", choose(NATIVE_ACCESS, "-Djverbs.soft.udp=nio"));
    }

    @Test
    void linuxWithoutNativeAccessIsRefusedWithTheOptionThatGivesIt() throws Exception {
        assumeLinux();
        ChildJvm.Result result = choose("-Djverbs.soft.udp=linux");

        assertEquals(1, result.exit());
        assertTrue(result.err().contains("jverbs.soft.udp=linux: native access is not enabled: start Java with "
                + NATIVE_ACCESS), result.err());
    }

    @Test
    void whereASystemForbidsRecvmmsgTheSocketsAreThoseOfJava() throws Exception {
        assumeLinux();
        List<String> forbidden = List.of("recvmmsg");
        assertChosen("nio", choose(forbidden, NATIVE_ACCESS));

        ChildJvm.Result result = choose(forbidden, NATIVE_ACCESS, "-Djverbs.soft.udp=linux");
        assertEquals(1, result.exit());
        assertTrue(result.err().contains("jverbs.soft.udp=linux: the system has no such sockets "
                + "(recvmmsg: Operation not permitted)"), result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NIO", "epoll"})
    void anUnknownValueIsRefusedWithThoseThereAre(String value) throws Exception {
        ChildJvm.Result result = choose("-Djverbs.soft.udp=" + value);

        assertEquals(1, result.exit());
        assertTrue(result.err().contains("jverbs.soft.udp=" + value + ": allowed are auto, nio, linux"), result.err());
    }
}
