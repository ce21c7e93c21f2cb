package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Atomics on a mapped file that is truncated at the same time report that the memory is missing. */
@InOtherProcesses
final class TruncatedWordTest {
    @TempDir
    private Path folder;

    /** The code must have been compiled: the interpreter cannot survive a fault in an atomic. */
    @Test
    @Timeout(120)
    void anAtomicWhoseMemoryDisappearsReportsTheFaultInCodeThatC1HasCompiled() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-XX:TieredStopAtLevel=1", "-Xbatch", "-cp",
                TestJvm.classPath(), TruncatedWord.class.getName(), folder.resolve("word").toString()));
        assertEquals(0, result.exit(), result.out() + result.err());
    }
}
