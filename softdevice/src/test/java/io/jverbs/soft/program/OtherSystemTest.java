package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On systems other than Linux the software device uses no class that calls Linux. */
@InOtherProcesses
final class OtherSystemTest {
    private static final String LINUX = "io.jverbs.soft.linux.";

    @TempDir
    private Path folder;

    @Test
    void writesSucceedAndNoClassThatCallsLinuxIsLoaded() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-Dos.name=Windows 11", "-Xlog:class+load:stdout",
                "--enable-native-access=ALL-UNNAMED", "-cp", TestJvm.classPath(), OtherSystem.class.getName(), "soft",
                "soft:soft1", "soft:sim0?seed=3", "soft:sim1?seed=3", "soft:127.0.9.11?fabric=wire",
                "soft:127.0.9.12?fabric=wire"));
        assertEquals(0, result.exit(), result.err());
        List<String> lines = result.out().lines().toList();
        assertEquals(List.of("soft SUCCESS", "soft:sim0?seed=3 SUCCESS", "soft:127.0.9.11?fabric=wire SUCCESS"),
                lines.stream().filter(line -> line.endsWith(" SUCCESS")).toList(), result.err());
        Set<String> loaded = lines.stream().filter(line -> line.contains(LINUX) && line.contains("source:"))
                .map(line -> line.substring(line.indexOf(LINUX)).split("[ $]")[0])
                .collect(Collectors.toCollection(TreeSet::new));
        // Availability only reports that the other classes cannot be used
        assertEquals(Set.of(LINUX + "Availability"), loaded);
    }
}
