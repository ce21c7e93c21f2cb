package io.jverbs.ffm.child;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.ffm.abi.LoadProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that layouts and constants can be loaded while native access is denied, and that they load no library. */
@EnabledOnOs(OS.LINUX)
class LoadingTest {

    @TempDir
    private Path folder;

    @Test
    void layoutsAndConstantsNeedNeitherNativeAccessNorTheLibrary() throws IOException {
        // JDK 24 has an option that denies native access. Before JDK 24, naming another module denies it.
        var deny = Runtime.version().feature() >= 24
                ? "--illegal-native-access=deny"
                : "--enable-native-access=java.base";
        var result = ChildJvm.onClassPath(folder, LoadProgram.class, deny, property("jverbs.ffm.jextract"));
        var expected = count("--include-struct|--include-union|--include-typedef") + " layouts, "
                + count("--include-constant") + " constants, libibverbs loaded: false, a restricted call: "
                + "IllegalCallerException";
        assertEquals(new ChildJvm.Result(0, expected, ""), result);
    }

    private static String property(String name) {
        return "-D" + name + "=" + System.getProperty(name);
    }

    private static long count(String options) throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("jverbs.ffm.jextract"), "types.includes")).stream()
                .filter(line -> line.matches("(" + options + ") .*")).count();
    }
}
