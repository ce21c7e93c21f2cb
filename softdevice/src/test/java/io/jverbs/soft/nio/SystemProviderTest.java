package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.program.ChildJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that knows only the JDK uses RDMA because of a system property. */
@InOtherProcesses
final class SystemProviderTest {
    private static final String EXPECTED = String.join(System.lineSeparator(), "200 request 0", "200 request 1",
            "200 request 2", "RdmaSocketChannel[rdma", "sun.nio.ch", "");

    @TempDir
    private Path folder;

    private void assertRuns(String address, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add("-Djava.nio.channels.spi.SelectorProvider=" + RdmaSelectorProvider.class.getName());
        arguments.add("-Djverbs.test.log=ERROR");
        arguments.add("-Dslf4j.internal.verbosity=ERROR");
        arguments.add("-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener");
        arguments.add("--illegal-native-access=deny");
        arguments.add(ChannelProgram.class.getName());
        arguments.add(address);
        if (Runtime.version().feature() < 24) {
            arguments.remove("--illegal-native-access=deny");
        }
        ChildJvm.Result result = ChildJvm.run(folder, arguments);
        assertEquals(EXPECTED, result.out(), result.err());
        assertEquals(0, result.exit(), result.err());
    }

    @Test
    void onTheClassPathWithADeviceInThisJvm() throws Exception {
        assertRuns("127.0.0.1", "-cp", TestJvm.classPath(), "-Djverbs.device=soft");
    }

    @Test
    void withADeviceWhoseOwnSocketsAreOpenedByTheProvider() throws Exception {
        String address = LoopbackAddress.next();
        assertRuns(address, "-cp", TestJvm.classPath(), "-Djverbs.soft.udp=nio", "-Djverbs.nio.rdma=always",
                "-Djverbs.device=soft:" + address + "?fabric=wire");
    }

    @Test
    void onTheModulePath() throws Exception {
        String[] entries = TestJvm.classPath().split(File.pathSeparator);
        String modules = Arrays.stream(entries).filter(SystemProviderTest::isModule)
                .collect(Collectors.joining(File.pathSeparator));
        String others = Arrays.stream(entries).filter(entry -> entry.contains("test"))
                .collect(Collectors.joining(File.pathSeparator));
        assertRuns("127.0.0.1", "-p", modules, "--add-modules", "io.jverbs", "-cp", others, "-Djverbs.device=soft");
    }

    private static boolean isModule(String entry) {
        return entry.contains("slf4j-api") || !entry.contains("test")
                && List.of("ffm-bindings", "jverbs", "softdevice").stream()
                        .anyMatch(name -> entry.matches(".*[/\\\\]" + name + "[/\\\\](target[/\\\\]classes|.*\\.jar)"));
    }
}
