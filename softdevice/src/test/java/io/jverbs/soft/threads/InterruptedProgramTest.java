package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An interrupted thread of the program can open, post, poll and close. Its interrupt status does not close a socket of
 * the device, as it would close an interruptible channel.
 */
@Timeout(120)
final class InterruptedProgramTest {
    private static final int MESSAGES = 200;

    /** The fabric between the two ends. */
    enum FabricKind {
        IN_JVM, WIRE, SIMULATED;

        PairOfQueuePairs pair(QpType type) {
            String options = "?seed=4&network=interrupted-program&time=real";
            return switch (this) {
                case IN_JVM -> PairOfQueuePairs.within(type);
                case WIRE -> new PairOfQueuePairs(LoopbackAddress.wired(), LoopbackAddress.wired(), type);
                case SIMULATED -> new PairOfQueuePairs("soft:sim0" + options, "soft:sim1" + options, type);
            };
        }
    }

    @TempDir
    private Path folder;

    @AfterEach
    void clearInterruptStatus() {
        Thread.interrupted();
    }

    private static void assertStillInterrupted() {
        assertTrue(Thread.currentThread().isInterrupted(), "the interrupt status was cleared");
    }

    @ParameterizedTest
    @EnumSource
    void interruptedThreadUsesConnectionFromOpenToClose(FabricKind fabric) {
        Thread.currentThread().interrupt();
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            for (int i = 0; i < MESSAGES; i++) {
                assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(2000).opcode(WrOpcode.RDMA_WRITE)));
                assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(2000).opcode(WrOpcode.RDMA_READ)));
            }
            assertStillInterrupted();
            Thread.interrupted();
            assertEquals(WcStatus.SUCCESS, pair.right.run(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ)
                    .sge(pair.right.memory, 0, 8).remote(pair.left.memory.address(), pair.left.memory.rkey())));
        }
    }

    @ParameterizedTest
    @EnumSource
    void interruptedThreadJoinsAndLeavesMulticastGroup(FabricKind fabric) {
        Gid group = Gid.parse("::ffff:239.1.2.77");
        Thread.currentThread().interrupt();
        try (PairOfQueuePairs pair = fabric.pair(QpType.UD)) {
            for (int i = 0; i < 3; i++) {
                pair.right.qp.attachMulticast(group, 0);
                pair.right.postReceive(300);
                AddressHandle handle = pair.left.pd.createAddressHandle(AhAttributes.to(group, 1,
                        pair.left.context.preferredGid(1).index()));
                assertEquals(WcStatus.SUCCESS, pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND)
                        .flags(SendFlags.SIGNALED).sge(pair.left.memory, 0, 8).destination(handle, 0xFFFFFF, 0x11)));
                assertEquals(WcStatus.SUCCESS, pair.right.next());
                pair.right.qp.detachMulticast(group, 0);
            }
            assertStillInterrupted();
        }
    }

    @ParameterizedTest
    @EnumSource
    void interruptedThreadCapturesPackets(FabricKind fabric) throws Exception {
        Path file = folder.resolve("capture.pcapng");
        Thread.currentThread().interrupt();
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            PacketCapture.Running running = PairOfQueuePairs.capture(pair.leftDevice).start(file.toString());
            assertEquals(WcStatus.SUCCESS, pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE)));
            running.flush();
            running.close();
            assertStillInterrupted();
            Thread.interrupted();
            assertFalse(Files.size(file) < 300, "no packet was written");
        }
    }
}
