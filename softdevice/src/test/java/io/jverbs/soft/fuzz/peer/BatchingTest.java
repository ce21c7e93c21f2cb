package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.WireOpcode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks batching: several packets that are received with one system call, and ACKs of several queue pairs that are
 * sent with one.
 */
final class BatchingTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 64;
    private static final int MANY = 12;
    /** How long a forbidden event is awaited. */
    private static final Duration WHILE = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedPeer peer = new ScriptedPeer(QpType.RC, 1);
    private final MemoryRegion memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);

    @AfterEach
    void close() {
        peer.close();
    }

    /** Builds a WRITE that requests an acknowledgement. */
    private ByteBuffer write(QueuePair to, int psn) {
        begin(to, psn);
        return peer.finishPacket();
    }

    private void begin(QueuePair to, int psn) {
        peer.packetWithAck(to, WireOpcode.RC | WireOpcode.WRITE_ONLY, psn, BYTES).reth(memory.address(), memory.rkey(),
                BYTES);
        peer.fill(BYTES, (byte) psn);
    }

    @Test
    void packetsReceivedWithOneCallAreAcceptedInOrder() {
        List<ByteBuffer> packets = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            packets.add(write(peer.qp, PSN + i));
        }
        int turns = peer.receiveBatch(packets);

        assertEquals(MANY, peer.received());
        assertEquals(0, peer.counted(Counter.OUT_OF_SEQUENCE));
        // a polling thread accepts one packet a turn at first, and more when packets keep arriving
        assertEquals(5, turns);
    }

    /** Catalogue L24: each message is acknowledged. */
    @Test
    void acksOfSeveralQueuePairsInOneTurnAreSentWithOneCall() {
        List<QueuePair> pairs = new ArrayList<>(List.of(peer.qp));
        while (pairs.size() < MANY) {
            pairs.add(peer.connect(QpType.RC, 1, PSN));
        }
        peer.receiveBatch(pairs.stream().map(pair -> write(pair, PSN)).toList());
        peer.pollUntilIdle();
        peer.sent();
        int before = peer.flushes();
        int turns = peer.receiveBatch(pairs.stream().map(pair -> write(pair, PSN + 1)).toList());
        peer.pollUntilIdle();
        List<ScriptedPeer.Sent> acks = peer.sent();
        int calls = peer.flushes() - before;

        assertEquals(MANY, acks.size(), acks.toString());
        assertEquals(List.of(), acks.stream().filter(ack -> ack.opcode() != WireOpcode.ACKNOWLEDGE
                || ack.psn() != PSN + 1).toList());
        assertTrue(calls <= turns, calls + " calls in " + turns + " turns");
        assertTrue(turns < MANY, turns + " turns for " + MANY + " packets");
    }

    @Test
    void buffersReceivedWithOneCallAreSplitIntoPackets() {
        List<ByteBuffer> buffers = new ArrayList<>();
        int each = 0;
        for (int i = 0; i < MANY; i += 3) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 10);
            for (int k = 0; k < 3; k++) {
                begin(peer.qp, PSN + i + k);
                peer.appendTo(buffer, k);
            }
            each = buffer.flip().remaining() / 3;
            buffers.add(buffer);
        }
        peer.receiveBatch(buffers, each, MANY);

        assertEquals(0, peer.counted(Counter.OUT_OF_SEQUENCE) + peer.counted(Counter.BAD_ICRC));
    }

    /**
     * Catalogue L24: a message that was delivered is acknowledged, even if its receiver destroys the queue pair
     * immediately.
     */
    @Test
    void destroyingAQueuePairWaitsUntilItsPendingAckIsSent() throws InterruptedException {
        CountDownLatch flushing = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        peer.beforeFlush(() -> {
            flushing.countDown();
            awaitUninterrupted(proceed);
        });
        Thread poller = Thread.ofPlatform().start(() -> {
            peer.receiveBatch(List.of(write(peer.qp, PSN)));
            peer.pollUntilIdle();
        });
        awaitUninterrupted(flushing);
        Thread closer = Thread.ofPlatform().start(peer.qp::close);

        assertFalse(closer.join(WHILE), "close() returned before the ACK was sent");
        proceed.countDown();
        assertTrue(closer.join(LONG), "close() did not return");
        assertTrue(poller.join(LONG));
        assertEquals(1, peer.sent().size());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LONG.toSeconds(), TimeUnit.SECONDS), "the latch was not released within " + LONG);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Packets are batched by route, so queue pairs with the same peer address must share one. */
    @Test
    void queuePairsWithTheSamePeerAddressShareARoute() {
        Gid other = Gid.parse("::ffff:192.0.2.77");

        assertSame(peer.route(FuzzedDevice.PEER), peer.route(FuzzedDevice.PEER));
        assertNotSame(peer.route(FuzzedDevice.PEER), peer.route(other));
    }
}
