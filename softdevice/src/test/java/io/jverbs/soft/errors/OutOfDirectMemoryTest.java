package io.jverbs.soft.errors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catalogue E1, E2: a post that fails for lack of direct memory is not reported as a post to a full queue. */
@InOtherProcesses
final class OutOfDirectMemoryTest {
    @TempDir
    private Path folder;

    @Test
    void aChainThatFailsForLackOfDirectMemoryNamesTheErrorAndAFullQueueDoesNot() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-XX:MaxDirectMemorySize=8m", "-cp", TestJvm.classPath(),
                InlineMemoryProgram.class.getName()));
        assertEquals(0, result.exit(), result::err);
        List<String> lines = result.out().lines().filter(line -> line.startsWith(InlineMemoryProgram.MARK))
                .map(line -> line.substring(InlineMemoryProgram.MARK.length())).toList();
        assertEquals(4, lines.size(), result::out);
        String chain = lines.get(0);
        assertTrue(
                chain.contains("post_send: ENOMEM (12): ") && chain.contains(": the software device posted the requests"
                        + " before it and then failed with java.lang.OutOfMemoryError: "),
                chain);
        assertEquals("true", lines.get(1), "the inline request failed");
        assertTrue(lines.get(2).startsWith("java.lang.OutOfMemoryError: "), lines.get(2));
        assertTrue(lines.get(3)
                .endsWith("the send queue of 16384 requests is full: a slot becomes free when the completion"
                        + " of its request, or of a later SIGNALED request, has been polled"),
                lines.get(3));
    }
}
