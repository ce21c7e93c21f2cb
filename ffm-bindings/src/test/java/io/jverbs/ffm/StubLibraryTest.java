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

/**
 * Tests that exported functions receive their arguments, and that their failures are returned as an errno, however the
 * function reports them.
 */
@EnabledOnOs(OS.LINUX)
class StubLibraryTest {

    @TempDir
    private Path folder;

    @Test
    void everyFunctionReceivesItsArgumentsAndItsErrorsAreConverted() throws Exception {
        var all = Arrays.stream(IbverbsFunction.values()).map(IbverbsFunction::symbol).toList();
        assertEquals(new ChildJvm.Result(0, "untested: []\ndone", ""), run(all));
    }

    @Test
    void functionsMissingInAnOldLibraryAreNotSupported() throws Exception {
        assertEquals(new ChildJvm.Result(0, "done", ""), run(IbverbsFunction.requiredSymbols(), "old"));
    }

    @Test
    void everyFunctionOfLibrdmacmReceivesItsArgumentsAndItsErrorsAreConverted() throws Exception {
        var all = Arrays.stream(RdmacmFunction.values()).map(RdmacmFunction::symbol).toList();
        assertEquals(new ChildJvm.Result(0, "untested: []\ndone", ""),
                run(StubConnectionProgram.class, NativeLibrary.RDMACM_PROPERTY, all));
    }

    @Test
    void functionsMissingInAnOldLibrdmacmAreNotSupported() throws Exception {
        assertEquals(new ChildJvm.Result(0, "done", ""), run(StubConnectionProgram.class,
                NativeLibrary.RDMACM_PROPERTY, RdmacmFunction.requiredSymbols(), "old"));
    }

    private ChildJvm.Result run(Collection<String> symbols, String... arguments) throws Exception {
        return run(StubProgram.class, NativeLibrary.IBVERBS_PROPERTY, symbols, arguments);
    }

    private ChildJvm.Result run(Class<?> program, String property, Collection<String> symbols, String... arguments)
            throws Exception {
        var library = StubLibrary.compile(folder, symbols);
        return ChildJvm.onClassPath(folder, program, arguments, "--enable-native-access=ALL-UNNAMED",
                "-D" + property + "=" + library);
    }
}
