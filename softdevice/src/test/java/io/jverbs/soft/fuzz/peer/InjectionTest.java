package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks what an attacker can do who sends packets from the peer's address, and what it cannot do, as docs/security.md
 * states.
 */
final class InjectionTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int PKEY = ScriptedPeer.PKEY;
    private static final int BYTES = 64;
    private static final byte SENT = 0x33;

    private ScriptedPeer peer;
    private MemoryRegion memory;

    @AfterEach
    void close() {
        peer.close();
    }

    private void connect(QpType type) {
        peer = new ScriptedPeer(type, 1);
        memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    private void write(int transport, int psn, int rkey) {
        peer.packet(transport | WireOpcode.WRITE_ONLY, psn, PKEY, BYTES).reth(memory.address(), rkey, BYTES);
        peer.fill(BYTES, SENT);
        peer.deliver(FuzzedDevice.PEER);
    }

    private void assertWritten(boolean written) {
        assertEquals(written ? SENT : 0, memory.segment().get(ValueLayout.JAVA_BYTE, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aForgedWriteWithTheRightQpnPsnAndKeyIsExecuted(QpType type) {
        connect(type);
        write(type == QpType.RC ? WireOpcode.RC : WireOpcode.UC, PSN, memory.rkey());
        assertWritten(true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0x100, 0x8000_0000})
    void theFirstWrongKeyMovesAnRcQueuePairToErr(int wrong) {
        connect(QpType.RC);
        write(WireOpcode.RC, PSN, memory.rkey() ^ wrong);
        assertWritten(false);
        assertEquals(QpState.ERR, peer.qp.query().state());
        write(WireOpcode.RC, PSN, memory.rkey());
        assertWritten(false);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1, 1000})
    void aWrongPsnChangesNothingOnAnRcQueuePair(int off) {
        connect(QpType.RC);
        write(WireOpcode.RC, PSN + off, memory.rkey());
        assertWritten(false);
        assertEquals(QpState.RTS, peer.qp.query().state());
        assertEquals(PSN, peer.qp.query().rqPsn());
    }

    @Test
    void aUcQueuePairAcceptsAnyPsnAndStaysInRtsAfterAWrongKey() {
        connect(QpType.UC);
        write(WireOpcode.UC, PSN + 1000, memory.rkey() ^ 1);
        assertWritten(false);
        assertEquals(1, peer.counted(Counter.REMOTE_ACCESS));
        assertEquals(QpState.RTS, peer.qp.query().state());
        write(WireOpcode.UC, PSN + 5000, memory.rkey());
        assertWritten(true);
    }
}
