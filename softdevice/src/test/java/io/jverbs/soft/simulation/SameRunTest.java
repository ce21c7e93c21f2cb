package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with the same seed are identical, byte for byte. */
@InOtherProcesses
final class SameRunTest {

    @Test
    void sameSeedRepeatsRun() {
        assertEquals(SameRunProgram.run(11), SameRunProgram.run(11));
    }

    @Test
    void otherSeedGivesOtherRun() {
        assertNotEquals(hash(SameRunProgram.run(11)), hash(SameRunProgram.run(12)));
    }

    @Test
    void otherPayloadGivesOtherHash() {
        assertEquals(hashOfWriting(1), hashOfWriting(1));
        assertNotEquals(hashOfWriting(1), hashOfWriting(2));
    }

    private static String hashOfWriting(int value) {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 64, "seed=1&network=bytes")) {
            pair.write(value);
            pair.awaitSent(value);
            return pair.network.packetLogHash();
        }
    }

    private static String hash(String run) {
        String hash = run.substring(run.lastIndexOf(' ') + 1);
        assertTrue(hash.matches("[0-9a-f]{64}"), run);
        return hash;
    }

    @Test
    void otherJvmRepeatsRun(@TempDir Path folder) throws Exception {
        ChildJvm.Result other = ChildJvm.run(folder,
                List.of("-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener", "-cp",
                        TestJvm.classPath(), SameRunProgram.class.getName(), "11"));
        assertEquals("", other.err());
        assertEquals(SameRunProgram.run(11), other.out().strip());
    }
}
