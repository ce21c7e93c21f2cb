package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.ForbiddenCalls;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A packet for which a Linux socket has no room is lost, and counted. The loopback interface takes packets out of the
 * buffer at once, so the test makes the system calls fail as they do when the buffer is full. Needs native access: see
 * the execution "linux" in the POM.
 */
final class LinuxFullSocketTest {
    private static final int MTU = PairOfQueuePairs.MTU;
    private static final long SECONDS = 20;

    private PairOfQueuePairs pair;

    @BeforeEach
    void open() {
        assumeTrue(Availability.obstacle().isEmpty(), () -> Availability.obstacle().orElseThrow());
        pair = new PairOfQueuePairs(LoopbackAddress.wired(), LoopbackAddress.wired(), QpType.UC);
    }

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
        }
    }

    private WcStatus run(WrOpcode opcode, int bytes) {
        return pair.left.run(pair.request(bytes).opcode(opcode));
    }

    private Map<String, Long> counted() {
        return pair.leftDevice.capability(DeviceCounters.class).orElseThrow().snapshot(1);
    }

    /** One packet; a run of two; a packet that is longer because of its RETH, and a run of three after it. */
    @ParameterizedTest
    @CsvSource({"SEND, 8, 1", "SEND, " + 2 * MTU + ", 2", "RDMA_WRITE, " + (3 * MTU + 10) + ", 4"})
    void packetsWithoutRoomInTimeAreLostAndCounted(WrOpcode opcode, int bytes, long packets) throws Exception {
        // a thread of its own sends, because the calls stay refused for the thread that refuses them
        FutureTask<WcStatus> sending = new FutureTask<>(() -> {
            for (String call : List.of("sendto", "sendmsg", "sendmmsg")) {
                ForbiddenCalls.refuse(call, Errno.EAGAIN);
            }
            return run(opcode, bytes);
        });
        Thread.ofPlatform().start(sending);

        assertEquals(WcStatus.SUCCESS, sending.get(SECONDS, TimeUnit.SECONDS));
        assertEquals(packets, counted().get("send_buffer_full"));
        assertEquals(WcStatus.SUCCESS, run(opcode, bytes));
        assertEquals(packets, counted().get("send_buffer_full"));
        assertEquals(0, counted().get("send_err"));
    }
}
