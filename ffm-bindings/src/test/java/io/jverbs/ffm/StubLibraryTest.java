package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.ffm.child.ChildJvm;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Exported functions get their arguments, and their failures come back as errno, whichever way they are told. */
@EnabledOnOs(OS.LINUX)
class StubLibraryTest {

    @TempDir
    private Path folder;

    @Test
    void everyFunctionIsCalledWithItsArgumentsAndItsErrorsAreUnderstood() throws Exception {
        var all = Arrays.stream(IbverbsFunction.values()).map(IbverbsFunction::symbol).toList();
        assertEquals(new ChildJvm.Result(0, "untested: []\ndone", ""), run(all));
    }

    @Test
    void functionsThatAnOldLibraryLacksAreNotSupported() throws Exception {
        assertEquals(new ChildJvm.Result(0, "done", ""), run(IbverbsFunction.requiredSymbols(), "old"));
    }

    private ChildJvm.Result run(Collection<String> symbols, String... arguments) throws Exception {
        var library = StubLibrary.compile(folder, symbols);
        return ChildJvm.onClassPath(folder, StubProgram.class, arguments, "--enable-native-access=ALL-UNNAMED",
                "-Djverbs.libibverbs=" + library);
    }
}
