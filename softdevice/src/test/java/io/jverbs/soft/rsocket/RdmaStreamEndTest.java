package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.WcOpcode;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of streams: what was written before is delivered, whatever the peer does at the same time. */
@Timeout(60)
final class RdmaStreamEndTest {
    private static final int REPLY = 3000;

    private static void read(RdmaStream from, int length) throws IOException, InterruptedException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            assertTrue(from.read(into) > 0, () -> "the stream has ended after " + into.position() + " bytes");
        }
    }

    private static int readByte(RdmaStream from) throws IOException, InterruptedException {
        return from.read(ByteBuffer.allocate(1));
    }

    @ParameterizedTest
    @CsvSource({"jvm, false", "jvm, true", "wire, false", "wire, true", "lossy, false", "lossy, true"})
    void aReplyIsDeliveredWithItsEndAlthoughThePeerHasShutDownMeanwhile(String where, boolean close) throws Exception {
        try (StreamPair pair = StreamPair.connect(where)) {
            pair.client().write(ByteBuffer.allocate(1));
            read(pair.server(), 1);
            pair.client().shutdownOutput();
            pair.server().write(ByteBuffer.allocate(REPLY));
            if (close) {
                pair.server().close();
            } else {
                pair.server().shutdownOutput();
            }
            read(pair.client(), REPLY);
            assertEquals(-1, readByte(pair.client()));
            assertEquals(-1, readByte(pair.client()), "the end stays");
            if (!close) {
                assertEquals(-1, readByte(pair.server()));
                StreamPair.await("the end", () -> (pair.server().ready() & RdmaStream.ENDED) != 0);
            }
        }
    }

    private static void writeAndReadAll(RdmaStream stream, int bytes) throws IOException, InterruptedException {
        stream.write(ByteBuffer.allocate(bytes));
        stream.shutdownOutput();
        ByteBuffer into = ByteBuffer.allocate(1000);
        int total = 0;
        for (int count = 0; count >= 0; count = stream.read(into.clear())) {
            total += count;
        }
        assertEquals(bytes, total);
        stream.close();
    }

    @RepeatedTest(5)
    void allBytesArriveWhenBothSidesEndTheirOutputAndCloseAtTheSameTime() throws Exception {
        try (StreamPair pair = StreamPair.connect("lossy")) {
            BackgroundTransfer other = BackgroundTransfer.start(() -> writeAndReadAll(pair.server(), 20_000));
            writeAndReadAll(pair.client(), 20_000);
            other.get();
        }
    }

    @Test
    void aCloseAfterShutdownsThatCrossWaitsForTheAcknowledgement() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (StreamPair pair = StreamPair.connect(faults)) {
            pair.client().write(ByteBuffer.allocate(1));
            read(pair.server(), 1);
            pair.server().ready();
            pair.client().shutdownOutput();
            faults.add(FaultRule.hold().opcode(WcOpcode.RDMA_WRITE));
            pair.server().shutdownOutput();
            assertEquals(-1, readByte(pair.server()));
            assertEquals(0, pair.server().ready() & RdmaStream.ENDED, "it is not acknowledged");
            BackgroundTransfer closing = BackgroundTransfer.start(pair.server()::close);
            closing.awaitBlocked();
            faults.clear();
            faults.release();
            closing.get();
            assertEquals(-1, readByte(pair.client()));
        }
    }

    /** An rsocket of librdmacm disconnects when the messages have crossed, and acknowledges nothing any more. */
    @Test
    void aPeerThatDisconnectsAfterShutdownsThatCrossHasEndedTheStream() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (StreamPair pair = StreamPair.connect(faults)) {
            pair.server().ready();
            pair.client().shutdownOutput();
            faults.add(FaultRule.hold().opcode(WcOpcode.RDMA_WRITE));
            pair.server().shutdownOutput();
            pair.client().close();
            StreamPair.await("the end", () -> (pair.server().ready() & RdmaStream.ENDED) != 0);
            assertEquals(-1, readByte(pair.server()));
            assertThrows(IllegalStateException.class, () -> pair.server().write(ByteBuffer.allocate(1)));
            assertFalse(pair.server().isOpen());
            faults.clear();
            faults.release();
        }
    }

    /**
     * Four control messages are in flight, which a stream sends at most without an acknowledgement: three SGL messages,
     * for half of the credits and for both halves of the receive buffer, and a keep-alive, which shutdownInput sends if
     * a thread waits.
     */
    @Test
    void aShutdownWaitsForNoOtherControlMessage() throws Exception {
        RdmaStreamOptions small = RdmaStreamOptions.DEFAULT.withReceiveBufferSize(4096).withReceiveQueueSize(16);
        try (StreamPair pair = StreamPair.connect("perfect", RdmaStreamOptions.DEFAULT, small)) {
            SimulatedNetwork network = pair.clientContext().device().capability(SimulatedNetwork.class).orElseThrow();
            // the SGL message that the stream begins with is in flight no more
            String acknowledgement = WireOpcode.name(WireOpcode.RC | WireOpcode.ACKNOWLEDGE);
            StreamPair.await("its acknowledgement", () -> network.packetLog().stream()
                    .anyMatch(each -> each.from() == 0 && each.opcode().equals(acknowledgement)));
            for (int i = 0; i < 8; i++) {
                pair.client().write(ByteBuffer.allocate(1));
            }
            pair.client().write(ByteBuffer.allocate(2040));
            pair.client().write(ByteBuffer.allocate(2048));
            network.path(1, 0).partition();
            read(pair.server(), 8);
            read(pair.server(), 2040);
            read(pair.server(), 2048);
            BackgroundTransfer writer = BackgroundTransfer.start(() -> assertThrows(IllegalStateException.class,
                    () -> pair.server().write(ByteBuffer.allocate(1 << 20))));
            writer.awaitBlocked();
            pair.server().shutdownInput();
            pair.server().shutdownOutput();
            writer.get();
            network.path(1, 0).heal();
            ByteBuffer into = ByteBuffer.allocate(1 << 20);
            while (pair.client().read(into) >= 0) {
                assertTrue(into.hasRemaining(), "the writer has not blocked");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aPeerWhoseStreamIsAbortedReadsWhatHasArrivedAndThenFails(String where) throws Exception {
        try (StreamPair pair = StreamPair.connect(where)) {
            pair.server().write(ByteBuffer.allocate(REPLY));
            StreamPair.await("the arrival", () -> pair.client().available() == REPLY);
            pair.server().abort();
            assertFalse(pair.server().isOpen());
            assertThrows(IllegalStateException.class, () -> readByte(pair.server()));
            pair.server().abort();
            pair.server().close();

            read(pair.client(), REPLY);
            assertEquals(RdmaStreamException.Reason.PEER_LOST,
                    assertThrows(RdmaStreamException.class, () -> readByte(pair.client())).reason());
            assertThrows(RdmaStreamException.class, () -> pair.client().write(ByteBuffer.allocate(1)));
        }
    }
}
