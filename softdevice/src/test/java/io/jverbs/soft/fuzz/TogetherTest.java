package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Packets that come with one call though they are several, and answers that leave with one though they are of several. */
final class TogetherTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 64;
    private static final int MANY = 12;

    private final ScriptedPeer peer = new ScriptedPeer(QpType.RC, 1);
    private final MemoryRegion memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);

    @AfterEach
    void close() {
        peer.close();
    }

    /** A WRITE that asks for an acknowledgement. */
    private ByteBuffer write(QueuePair to, int psn) {
        peer.packetWithAck(to, WireOpcode.RC | WireOpcode.WRITE_ONLY, psn, BYTES).reth(memory.address(), memory.rkey(),
                BYTES);
        peer.fill(BYTES, (byte) psn);
        return peer.packet();
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

    /** As packets of one route leave together, whichever queue pair they are of. */
    @Test
    void thereIsOneRouteToAnAddress() {
        Gid other = Gid.parse("::ffff:192.0.2.77");

        assertSame(peer.route(Victim.PEER), peer.route(Victim.PEER));
        assertNotSame(peer.route(Victim.PEER), peer.route(other));
    }
}
