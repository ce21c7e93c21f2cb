package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.transport.Counter;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Catalogue items F8, F12, L31 and L32: how READs are answered that are long, many, repeated, or whose memory goes. */
final class ReadAnswersTest {
    private static final int BURST = 32;
    /** The packets of a long answer, and its bytes. */
    private static final int PACKETS = 96;
    private static final int BYTES = PACKETS * ScriptedPeer.MTU;
    private static final int FIRST = ScriptedPeer.PSN;
    /** How many READs any responder keeps. */
    private static final int KEPT = 32;

    private ScriptedPeer peer;
    private MemoryRegion memory;

    private void connect(int reads) {
        peer = new ScriptedPeer(QpType.RC, reads);
        memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void read(int psn, long offset, int bytes) {
        peer.packet(WireOpcode.READ_REQUEST, psn, ScriptedPeer.PKEY, 0).reth(memory.address() + offset, memory.rkey(),
                bytes);
        peer.from(Victim.PEER);
    }

    private List<ScriptedPeer.Sent> settled() {
        peer.settle();
        return peer.sent();
    }

    private static List<Integer> psns(List<ScriptedPeer.Sent> packets) {
        return packets.stream().map(ScriptedPeer.Sent::psn).toList();
    }

    private static List<Integer> range(int from, int to) {
        List<Integer> all = new ArrayList<>();
        for (int psn = from; psn < to; psn++) {
            all.add(psn);
        }
        return all;
    }

    private static ScriptedPeer.Sent nak(int psn, int syndrome) {
        return new ScriptedPeer.Sent(WireOpcode.ACKNOWLEDGE, psn, syndrome);
    }

    @Test
    void aLongAnswerLeavesInBurstsAndANakBehindItLeavesAfterItsLastPacket() {
        connect(1);
        read(FIRST, 0, BYTES);
        // a gap: what is between was lost
        peer.packet(WireOpcode.RC | WireOpcode.SEND_ONLY, FIRST + PACKETS + 3, ScriptedPeer.PKEY, 0);
        peer.from(Victim.PEER);
        assertEquals(range(FIRST, FIRST + BURST), psns(peer.sent()));
        peer.turn();
        List<ScriptedPeer.Sent> rest = new ArrayList<>(peer.sent());
        assertEquals(range(FIRST + BURST, FIRST + 2 * BURST), psns(rest));
        rest.addAll(settled());
        assertEquals(nak(FIRST + PACKETS, Aeth.NAK_SEQUENCE), rest.removeLast());
        assertEquals(range(FIRST + BURST, FIRST + PACKETS), psns(rest));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128})
    void aReadBeyondWhatIsKeptIsDroppedAndAnsweredWhenItComesAgain(int allowed) {
        connect(allowed);
        int kept = Math.max(allowed, KEPT);
        int psn = FIRST;
        int sent = 0;
        // each takes three turns, and there is one turn for each
        while (peer.counted(Counter.TOO_MANY_RD_ATOMIC) == 0) {
            read(psn, 0, BYTES);
            sent++;
            psn += PACKETS;
            assertTrue(sent <= 2 * kept + 1, "none of " + sent + " was dropped");
        }
        int dropped = psn - PACKETS;
        assertTrue(sent > kept, () -> "dropped already when " + kept + " had to be kept");
        assertEquals(QpState.RTS, peer.qp.state());
        List<ScriptedPeer.Sent> answers = settled();
        assertEquals(range(FIRST, dropped), psns(answers));

        read(dropped, 0, BYTES);
        assertEquals(range(dropped, psn), psns(settled()));
    }

    @Test
    void aReadThatComesAgainIsAnsweredAgainFromWhereItAsks() {
        connect(1);
        read(FIRST, 0, BYTES);
        settled();

        read(FIRST + 10, 10L * ScriptedPeer.MTU, BYTES - 10 * ScriptedPeer.MTU);
        assertEquals(range(FIRST + 10, FIRST + PACKETS), psns(settled()));
        assertEquals(1, peer.counted(Counter.DUPLICATE_REQUEST));
    }

    @Test
    void aReadThatComesAgainWhileItIsAnsweredIsAnsweredOnFromWhereItAsksAndOnce() {
        connect(1);
        read(FIRST, 0, BYTES);
        peer.turn();
        peer.sent();

        read(FIRST + 10, 10L * ScriptedPeer.MTU, BYTES - 10 * ScriptedPeer.MTU);
        assertEquals(range(FIRST + BURST, FIRST + 2 * BURST), psns(peer.sent()));
        assertEquals(range(FIRST + 10, FIRST + PACKETS), psns(settled()));
    }

    @Test
    void aReadThatComesAgainAfterItsMemoryHasGoneIsRefusedAndTheConnectionGoesOn() {
        connect(1);
        read(FIRST, 0, BYTES);
        settled();
        memory.close();

        read(FIRST + 10, 10L * ScriptedPeer.MTU, BYTES - 10 * ScriptedPeer.MTU);
        assertEquals(List.of(nak(FIRST + 10, Aeth.NAK_ACCESS)), settled());
        assertEquals(QpState.RTS, peer.qp.state());
    }

    @Test
    void aReadWhoseMemoryGoesWhileItIsAnsweredIsRefusedFromThereAndTheConnectionFails() {
        connect(1);
        read(FIRST, 0, BYTES);
        peer.turn();
        assertEquals(BURST, peer.sent().size());
        memory.close();

        assertEquals(List.of(nak(FIRST + BURST, Aeth.NAK_ACCESS)), settled());
        assertEquals(QpState.ERR, peer.qp.state());
    }
}
