package io.jverbs.soft.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Catalogue entries L9 to L14, L39 and L40: each header field is at its place, in big-endian order, at any offset.
 */
final class HeadersTest {
    private static final long OFFSET = 3;
    private static final String UNTOUCHED = "ee";

    private final MemorySegment memory = Arena.ofAuto().allocate(64).fill((byte) 0xEE);

    private void assertBytes(String hex) {
        String untouched = UNTOUCHED.repeat((int) OFFSET);
        int bytes = hex.length() / 2;
        byte[] written = memory.asSlice(0, OFFSET + bytes + OFFSET).toArray(ValueLayout.JAVA_BYTE);
        assertEquals(untouched + hex + untouched, HexFormat.of().formatHex(written));
    }

    /** L9. */
    @Test
    void bth() {
        Bth.write(memory, OFFSET, 0x64, Bth.SOLICITED | Bth.ACK_REQUEST, 3, 0x8001, 0xABCDEF, 0x123456);
        assertBytes("64b0800100abcdef80123456");
        long leading = Bth.leading(memory, OFFSET);
        int trailing = Bth.trailing(memory, OFFSET);
        assertEquals(0x64, Bth.opcode(leading));
        assertTrue(Bth.solicited(leading));
        assertFalse(Bth.migReq(leading));
        assertEquals(3, Bth.pad(leading));
        assertEquals(0, Bth.version(leading));
        assertEquals(0x8001, Bth.pkey(leading));
        assertEquals(0xABCDEF, Bth.destinationQpn(leading));
        assertTrue(Bth.ackRequest(trailing));
        assertEquals(0x123456, Bth.psn(trailing));
    }

    /** L9. */
    @Test
    void outOfRangeBthValuesDoNotAffectOtherFields() {
        Bth.write(memory, OFFSET, 0, Bth.MIG_REQ, 0, 0, -1, -1);
        assertBytes("0040000000ffffff00ffffff");
        Bth.write(memory, OFFSET, 0xFF, 0, ~0 << 2, -1, 0, 0);
        assertBytes("ff00ffff0000000000000000");
        Bth.write(memory, OFFSET, 0, ~(Bth.SOLICITED | Bth.MIG_REQ | Bth.ACK_REQUEST), 0, 0, 0, 0);
        assertBytes("00".repeat(Bth.BYTES));
    }

    /** L9. */
    @Test
    void bthVersionAndFlagsAreRead() {
        memory.fill((byte) 0);
        memory.set(ValueLayout.JAVA_BYTE, OFFSET + 1, (byte) 0x5A);
        long leading = Bth.leading(memory, OFFSET);
        assertEquals(0xA, Bth.version(leading));
        assertEquals(1, Bth.pad(leading));
        assertTrue(Bth.migReq(leading));
        assertFalse(Bth.solicited(leading));
    }

    /** L11. */
    @Test
    void deth() {
        Deth.write(memory, OFFSET, 0x81020304, 0xFFABCDEF);
        assertBytes("8102030400abcdef");
        assertEquals(0x81020304, Deth.qkey(memory, OFFSET));
        assertEquals(0xABCDEF, Deth.sourceQpn(memory, OFFSET));
    }

    /** L12. */
    @Test
    void reth() {
        Reth.write(memory, OFFSET, 0x8102030405060708L, 0x91020304, 0xF1020304L);
        assertBytes("810203040506070891020304f1020304");
        assertEquals(0x8102030405060708L, Reth.remoteAddress(memory, OFFSET));
        assertEquals(0x91020304, Reth.rkey(memory, OFFSET));
        assertEquals(0xF1020304L, Reth.length(memory, OFFSET));
    }

    /** L13. */
    @Test
    void atomicEth() {
        AtomicEth.write(memory, OFFSET, 0x8102030405060708L, 0x91020304, 0xA102030405060708L, 0xB102030405060708L);
        assertBytes("810203040506070891020304a102030405060708b102030405060708");
        assertEquals(0x8102030405060708L, AtomicEth.remoteAddress(memory, OFFSET));
        assertEquals(0x91020304, AtomicEth.rkey(memory, OFFSET));
        assertEquals(0xA102030405060708L, AtomicEth.swapOrAdd(memory, OFFSET));
        assertEquals(0xB102030405060708L, AtomicEth.compare(memory, OFFSET));
    }

    /** L14. */
    @Test
    void aeth() {
        Aeth.write(memory, OFFSET, 0xE1, 0xFFABCDEF);
        assertBytes("e1abcdef");
        assertEquals(0xE1, Aeth.syndrome(memory, OFFSET));
        assertEquals(0xABCDEF, Aeth.msn(memory, OFFSET));
    }

    /** L14. */
    @Test
    void atomicAckEth() {
        AtomicAckEth.write(memory, OFFSET, 0x8102030405060708L);
        assertBytes("8102030405060708");
        assertEquals(0x8102030405060708L, AtomicAckEth.original(memory, OFFSET));
    }

    /** L14. */
    @Test
    void immDtAndIeth() {
        ImmDt.write(memory, OFFSET, 0x81020304);
        assertBytes("81020304");
        assertEquals(0x81020304, ImmDt.immediate(memory, OFFSET));
        Ieth.write(memory, OFFSET, 0x91020304);
        assertBytes("91020304");
        assertEquals(0x91020304, Ieth.rkey(memory, OFFSET));
    }

    /** L39 and L40. */
    @Test
    void syndromes() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            int kind = syndrome >>> 5;
            assertEquals(kind == 0, Aeth.isAck(syndrome));
            assertEquals(kind == 1, Aeth.isRnrNak(syndrome));
            assertEquals(kind == 3, Aeth.isNak(syndrome));
        }
        assertTrue(Aeth.isAck(Aeth.ACK));
        for (int timer = 0; timer < 32; timer++) {
            assertTrue(Aeth.isRnrNak(Aeth.rnrNak(timer)));
            assertEquals(timer, Aeth.rnrTimer(Aeth.rnrNak(timer)));
        }
        assertEquals(0x3F, Aeth.rnrNak(31));
        for (int nak : new int[] {Aeth.NAK_PSN_SEQUENCE_ERROR, Aeth.NAK_INVALID_REQUEST, Aeth.NAK_REMOTE_ACCESS_ERROR,
            Aeth.NAK_REMOTE_OPERATIONAL_ERROR}) {
            assertTrue(Aeth.isNak(nak));
        }
    }
}
