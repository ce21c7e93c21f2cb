package io.jverbs.soft.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The encoder rejects invalid packets. */
final class PacketEncoderTest {
    private final PacketBuffer buffer = Packets.buffer();
    private final PacketEncoder encoder = new PacketEncoder();

    private void begin(int opcode, int payload) {
        encoder.begin(buffer, opcode, 0, 0xFFFF, 17, 1, payload);
    }

    @Test
    void unsupportedOpcodeIsRejected() {
        for (int opcode = 0; opcode < 256; opcode++) {
            int unknown = opcode;
            if (!WireOpcode.isKnown(opcode)) {
                assertThrows(IllegalArgumentException.class, () -> begin(unknown, 0), WireOpcode.name(opcode));
            }
        }
    }

    @Test
    void invalidPayloadLengthIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> begin(WireOpcode.SEND_ONLY, -1));
        assertThrows(IllegalArgumentException.class, () -> begin(WireOpcode.SEND_ONLY, 4097));
        assertThrows(IllegalArgumentException.class, () -> begin(WireOpcode.ACKNOWLEDGE, 1));
        begin(WireOpcode.WRITE_ONLY_WITH_IMM, 4096);
        assertEquals(PacketBuffer.MAX_BYTES,
                encoder.reth(0, 0, 4096).immediate(0).finish(Packets.IPV4.icrc()), "the longest packet");
    }

    @Test
    void finishFailsIfAHeaderIsMissing() {
        assertThrows(IllegalStateException.class, () -> encoder.finish(Packets.IPV4.icrc()), "not begun");
        begin(WireOpcode.WRITE_ONLY_WITH_IMM, 0);
        encoder.reth(1, 2, 0);
        assertThrows(IllegalStateException.class, () -> encoder.finish(Packets.IPV4.icrc()));
        encoder.immediate(3);
        assertEquals(36, encoder.finish(Packets.IPV4.icrc()));
    }

    @Test
    void headerThatOpcodeDoesNotHaveIsRejected() {
        begin(WireOpcode.SEND_ONLY, 0);
        assertThrows(IllegalStateException.class, () -> encoder.deth(1, 2));
        assertThrows(IllegalStateException.class, () -> encoder.reth(1, 2, 3));
        assertThrows(IllegalStateException.class, () -> encoder.aeth(1, 2));
        assertThrows(IllegalStateException.class, () -> encoder.atomicEth(1, 2, 3, 4));
        assertThrows(IllegalStateException.class, () -> encoder.atomicAckEth(1));
        assertThrows(IllegalStateException.class, () -> encoder.immediate(1));
        assertThrows(IllegalStateException.class, () -> encoder.ieth(1));
        assertEquals(16, encoder.finish(Packets.IPV4.icrc()));
    }

    @Test
    void unsuitableBufferMemoryIsRejected() {
        assertThrows(IllegalArgumentException.class,
                () -> new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES - 1)));
        assertThrows(IllegalArgumentException.class,
                () -> new PacketBuffer(MemorySegment.ofArray(new byte[PacketBuffer.MAX_BYTES])));
        assertThrows(IllegalArgumentException.class,
                () -> new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES).asReadOnly()));
    }
}
