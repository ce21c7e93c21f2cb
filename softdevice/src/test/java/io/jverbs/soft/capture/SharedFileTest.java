package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes capture to one file. The devices of this JVM are captured, so no other test may use them meanwhile. */
final class SharedFileTest {
    @TempDir
    private Path folder;

    @Test
    void aFileThatAnotherProcessWritesIsRefusedAndStaysIntact() throws Exception {
        Path file = folder.resolve("shared.pcapng");
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC);
                PacketCapture.Running running = PairOfQueuePairs.capture(pair.leftDevice).start(file.toString())) {
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            running.flush();
            ChildJvm.Result result = CapturedProgramTest.run(folder, file.toString());
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));

            assertEquals(1, result.exit());
            assertTrue(result.err().contains("EBUSY") && result.err().contains("is being written by another process")
                    && result.err().contains("%p"), result::err);
        }
        assertEquals(4, Pcapng.packets(file).size());
    }
}
