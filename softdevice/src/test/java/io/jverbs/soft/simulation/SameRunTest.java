package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same seed is the same run, byte for byte. */
final class SameRunTest {

    @Test
    void aSeedRepeatsItsRun() {
        assertEquals(SameRunProgram.run(11), SameRunProgram.run(11));
    }

    @Test
    void anotherSeedIsAnotherRun() {
        assertNotEquals(hash(SameRunProgram.run(11)), hash(SameRunProgram.run(12)));
    }

    @Test
    void otherBytesAreAnotherRun() {
        assertEquals(hashOfWriting(1), hashOfWriting(1));
        assertNotEquals(hashOfWriting(1), hashOfWriting(2));
    }

    private static String hashOfWriting(int value) {
        try (Couple couple = new Couple(QpType.RC, 64, "seed=1&network=bytes")) {
            couple.write(value);
            couple.awaitSent(value);
            return couple.network.packetLogHash();
        }
    }

    private static String hash(String run) {
        String hash = run.substring(run.lastIndexOf(' ') + 1);
        assertTrue(hash.matches("[0-9a-f]{64}"), run);
        return hash;
    }

    @Test
    void anotherJvmDoesTheSame(@TempDir Path folder) throws Exception {
        ChildJvm.Result other = ChildJvm.run(folder,
                List.of("-cp", TestJvm.classPath(), SameRunProgram.class.getName(), "11"));
        assertEquals("", other.err());
        assertEquals(SameRunProgram.run(11), other.out().strip());
    }
}
