package io.jverbs.soft.fuzz;

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
import io.jverbs.soft.transport.Counter;
import io.jverbs.soft.wire.WireOpcode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets that come with one call though they are several, and answers that leave with one though they are of several. */
final class TogetherTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 64;
    private static final int MANY = 12;
    /** What is forbidden would have happened meanwhile. */
    private static final Duration WHILE = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedPeer peer = new ScriptedPeer(QpType.RC, 1);
    private final MemoryRegion memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);

    @AfterEach
    void close() {
        peer.close();
    }

    /** A WRITE that asks for an acknowledgement. */
    private ByteBuffer write(QueuePair to, int psn) {
        begin(to, psn);
        return peer.packet();
    }

    private void begin(QueuePair to, int psn) {
        peer.packetWithAck(to, WireOpcode.RC | WireOpcode.WRITE_ONLY, psn, BYTES).reth(memory.address(), memory.rkey(),
                BYTES);
        peer.fill(BYTES, (byte) psn);
    }

    @Test
    void allThatCameWithOneCallIsTakenInItsOrder() {
        List<ByteBuffer> packets = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            packets.add(write(peer.qp, PSN + i));
        }
        int turns = peer.together(packets);

        assertEquals(MANY, peer.received());
        assertEquals(0, peer.counted(Counter.OUT_OF_SEQUENCE));
        // a poller takes one packet in a turn, until they come again and again
        assertEquals(5, turns);
    }

    /** L24: each is acknowledged. */
    @Test
    void answersOfOneTurnLeaveWithOneCallThoughOfSeveralQueuePairs() {
        List<QueuePair> pairs = new ArrayList<>(List.of(peer.qp));
        while (pairs.size() < MANY) {
            pairs.add(peer.connect(QpType.RC, 1, PSN));
        }
        peer.together(pairs.stream().map(pair -> write(pair, PSN)).toList());
        peer.settle();
        peer.sent();
        int before = peer.calls();
        int turns = peer.together(pairs.stream().map(pair -> write(pair, PSN + 1)).toList());
        peer.settle();
        List<ScriptedPeer.Sent> answers = peer.sent();
        int calls = peer.calls() - before;

        assertEquals(MANY, answers.size(), answers.toString());
        assertEquals(List.of(), answers.stream().filter(answer -> answer.opcode() != WireOpcode.ACKNOWLEDGE
                || answer.psn() != PSN + 1).toList());
        assertTrue(calls <= turns, calls + " calls in " + turns + " turns");
        assertTrue(turns < MANY, "in " + turns + " turns");
    }

    @Test
    void piecesThatCameWithOneCallAreTakenPacketByPacket() {
        List<ByteBuffer> pieces = new ArrayList<>();
        int each = 0;
        for (int i = 0; i < MANY; i += 3) {
            ByteBuffer piece = ByteBuffer.allocateDirect(1 << 10);
            for (int k = 0; k < 3; k++) {
                begin(peer.qp, PSN + i + k);
                peer.addTo(piece, k);
            }
            each = piece.flip().remaining() / 3;
            pieces.add(piece);
        }
        peer.together(pieces, each, MANY);

        assertEquals(0, peer.counted(Counter.OUT_OF_SEQUENCE) + peer.counted(Counter.BAD_ICRC));
    }

    /** L24: who ends the queue pair, and perhaps the process, when the message has come does not take back that it has. */
    @Test
    void whoEndsAQueuePairWaitsForItsAnswerThatIsAboutToLeave() throws InterruptedException {
        CountDownLatch about = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        peer.beforeCall(() -> {
            about.countDown();
            awaitUninterrupted(goOn);
        });
        Thread poller = Thread.ofPlatform().start(() -> {
            peer.together(List.of(write(peer.qp, PSN)));
            peer.settle();
        });
        awaitUninterrupted(about);
        Thread closer = Thread.ofPlatform().start(peer.qp::close);

        assertFalse(closer.join(WHILE), "it is closed");
        goOn.countDown();
        assertTrue(closer.join(LONG), "it is not closed");
        assertTrue(poller.join(LONG));
        assertEquals(1, peer.sent().size());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LONG.toSeconds(), TimeUnit.SECONDS), "within " + LONG);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As packets of one route leave together, whichever queue pair they are of. */
    @Test
    void thereIsOneRouteToAnAddress() {
        Gid other = Gid.parse("::ffff:192.0.2.77");

        assertSame(peer.route(Victim.PEER), peer.route(Victim.PEER));
        assertNotSame(peer.route(Victim.PEER), peer.route(other));
    }
}
