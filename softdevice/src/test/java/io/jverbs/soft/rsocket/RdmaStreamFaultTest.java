package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.WrOpcode;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of the device of a stream: only this stream fails, and the program learns of it at once. */
@Timeout(60)
final class RdmaStreamFaultTest {
    private static final RdmaStreamOptions CHECKING = RdmaStreamOptions.DEFAULT.withKeepAlive(Duration.ofMillis(20))
            .withKeepAliveTimeout(Duration.ofMillis(100));

    private static RdmaStreamException failure(RdmaStream of) {
        return assertThrows(RdmaStreamException.class, () -> of.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aWriteWhoseMessageIsNotPostedThrows() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (StreamPair pair = StreamPair.connect(faults)) {
            faults.add(FaultRule.failSend(Errno.EINVAL).opcode(WrOpcode.RDMA_WRITE_WITH_IMM).nth(2));
            pair.server().write(ByteBuffer.allocate(1));
            ByteBuffer data = ByteBuffer.allocate(1);
            RdmaStreamException failed = assertThrows(RdmaStreamException.class, () -> pair.server().write(data));
            assertEquals(Reason.DEVICE_FAILED, failed.reason(), failed::getMessage);
            assertEquals(1, data.remaining(), "it was not written");
            assertTrue(pair.client().read(ByteBuffer.allocate(1)) == 1, "what was written before");
        }
    }

    @Test
    void aShutdownThatIsNotPostedFailsTheStream() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (StreamPair pair = StreamPair.connect(faults)) {
            faults.add(FaultRule.failSend(Errno.EINVAL).opcode(WrOpcode.RDMA_WRITE_WITH_IMM));
            pair.server().shutdownOutput();
            assertEquals(Reason.DEVICE_FAILED, failure(pair.server()).reason());
        }
    }

    @Test
    void aKeepAliveThatIsNotPostedFailsItsStreamAndThoseOfTheOthersContinue() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (StreamPair pair = StreamPair.connect(faults);
                RdmaStream failing = RdmaStream.connect(pair.serverContext(), pair.listener().localAddress(), CHECKING);
                RdmaStream other = RdmaStream.connect(pair.serverContext(), pair.listener().localAddress(), CHECKING);
                RdmaStream firstAccepted = pair.listener().accept();
                RdmaStream secondAccepted = pair.listener().accept()) {
            faults.add(FaultRule.failSend(Errno.EINVAL).opcode(WrOpcode.RDMA_WRITE).nth(1));
            StreamPair.await("the failure of a stream", () -> !failing.isOpen() || !other.isOpen());
            RdmaStream failed = failing.isOpen() ? other : failing;
            RdmaStreamException cause = failure(failed);
            assertEquals(Reason.DEVICE_FAILED, cause.reason(), cause::getMessage);
            long before = faults.hits().getFirst().matched();
            StreamPair.await("keep-alives of the other stream",
                    () -> faults.hits().getFirst().matched() > before + 2);
            assertTrue(failing.isOpen() || other.isOpen());
            assertTrue(firstAccepted != secondAccepted);
        }
    }
}
