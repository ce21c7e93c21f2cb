package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.wire.Packets.Fields;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Catalogue entries L16, L23, L26 and L28: decoding arbitrary datagrams throws no exception and reads nothing beyond
 * them.
 */
final class HostilePacketsTest {
    private final PacketBuffer buffer = Packets.buffer();
    private final PacketView view = new PacketView();

    @Provide
    Arbitrary<Integer> opcodes() {
        return Arbitraries.of(Packets.OPCODES);
    }

    /** Decodes a datagram that is followed by other bytes; returns the values of all fields. */
    private List<Object> decodeFields(int length, byte beyond) {
        for (int i = Math.clamp(length, 0, PacketBuffer.MAX_BYTES); i < buffer.segment().byteSize(); i++) {
            buffer.segment().set(JAVA_BYTE, i, beyond);
        }
        DropReason drop = view.decode(buffer, length);
        return List.of(drop, view.check(Packets.IPV4.icrc()), view.opcode(), view.solicited(), view.migReq(),
                view.pkey(), view.destinationQpn(), view.ackRequest(), view.psn(), view.payloadOffset(),
                view.payloadLength(), view.qkey(), view.sourceQpn(), view.remoteAddress(), view.rkey(),
                view.dmaLength(), view.syndrome(), view.msn(), view.swapOrAdd(), view.compare(), view.original(),
                view.immediate(), view.invalidatedRkey(), view.fits(1024));
    }

    private DropReason assertBounded(int length) {
        List<Object> fields = decodeFields(length, (byte) 0x00);
        assertEquals(fields, decodeFields(length, (byte) 0xFF), "bytes after the datagram were read");
        DropReason drop = (DropReason) fields.getFirst();
        int end = view.payloadOffset() + view.payloadLength();
        assertTrue(view.payloadLength() >= 0 && view.payloadOffset() >= 0, drop::name);
        if (drop == DropReason.NONE) {
            assertTrue(view.payloadOffset() >= Bth.BYTES && end <= length - Icrc.BYTES, "payload ends at " + end);
            assertTrue(WireOpcode.isKnown(view.opcode()) && view.destinationQpn() != 0, "accepted");
        } else {
            assertEquals(0, view.payloadLength(), drop::name);
        }
        return drop;
    }

    private void put(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            buffer.segment().set(JAVA_BYTE, i, bytes[i]);
        }
    }

    @Property(tries = 6000)
    void randomBytesAreDecodedWithinBounds(@ForAll @Size(max = 128) byte[] bytes) {
        put(bytes);
        assertBounded(bytes.length);
    }

    /** With the right version, so that more datagrams pass the first check. */
    @Property(tries = 6000)
    void randomBytesWithRightVersionAreDecodedWithinBounds(@ForAll @Size(min = 16, max = 128) byte[] bytes) {
        bytes[1] &= (byte) 0xF0;
        put(bytes);
        assertBounded(bytes.length & ~3);
    }

    @Property(tries = 500)
    void anyLengthIsDecodedWithinBounds(@ForAll("opcodes") int opcode, @ForAll int length) {
        put(new byte[] {(byte) opcode, 0, 0, 0, 0, 0, 0, 1});
        assertBounded(length);
    }

    @Property(tries = 6000)
    void damagedPacketsAreDecodedWithinBounds(@ForAll("opcodes") int opcode, @ForAll @Size(Fields.VALUES) long[] values,
            @ForAll @Size(max = 64) byte[] payload, @ForAll @IntRange(max = 12) int at, @ForAll byte damage,
            @ForAll @IntRange(min = -64, max = 64) int longer) {
        int length = Fields.of(opcode, values, payload).encode(buffer, Packets.IPV4.icrc());
        buffer.segment().set(JAVA_BYTE, at, damage);
        assertBounded(length + longer);
    }

    @Property(tries = 1000)
    void truncatedPacketIsDroppedOrFailsTheIcrc(@ForAll("opcodes") int opcode,
            @ForAll @Size(Fields.VALUES) long[] values, @ForAll @Size(max = 64) byte[] payload) {
        int whole = Fields.of(opcode, values, payload).encode(buffer, Packets.IPV6.icrc());
        byte[] bytes = Packets.bytes(buffer, whole);
        for (int length = 0; length < whole; length++) {
            put(bytes);
            DropReason drop = assertBounded(length);
            put(bytes);
            assertTrue(drop != DropReason.NONE || view.check(Packets.IPV6.icrc()) == DropReason.ICRC,
                    "length " + length);
        }
    }

    private DropReason decode(int opcode, int second, int destinationQpn, int length) {
        PacketBuffer packet = Packets.buffer();
        packet.segment().fill((byte) 0);
        packet.segment().set(JAVA_BYTE, 0, (byte) opcode);
        packet.segment().set(JAVA_BYTE, 1, (byte) second);
        packet.segment().set(BigEndian.INT, 4, destinationQpn);
        return view.decode(packet, length);
    }

    @Property(tries = 256)
    void unknownOpcodeIsDroppedForOpcodeOrTransport(@ForAll @IntRange(max = 255) int opcode) {
        int shortest = WireOpcode.headerLength(opcode) + Icrc.BYTES;
        boolean transport = List.of(0, 1, 3, 4).contains(opcode >>> 5);
        DropReason unknown = transport ? DropReason.OPCODE : DropReason.TRANSPORT;
        DropReason expected = WireOpcode.isKnown(opcode) ? DropReason.NONE : unknown;
        assertEquals(expected, decode(opcode, 0, 1, shortest));
        assertEquals(opcode, view.opcode());
    }

    @Property(tries = 256)
    void eachFaultHasItsDropReason(@ForAll("opcodes") int opcode, @ForAll @IntRange(min = 1, max = 15) int version,
            @ForAll @IntRange(min = 1, max = 3) int pad) {
        int shortest = WireOpcode.headerLength(opcode) + Icrc.BYTES;
        assertEquals(DropReason.TOO_SHORT, decode(opcode, 0, 1, 15));
        assertEquals(DropReason.TOO_LONG, decode(opcode, 0, 1, PacketBuffer.MAX_BYTES + 1));
        assertEquals(DropReason.VERSION, decode(opcode, version, 1, shortest));
        assertEquals(DropReason.QUEUE_PAIR_0, decode(opcode, 0, 0, shortest));
        assertEquals(DropReason.LENGTH, decode(opcode, pad << 4, 1, shortest), "a pad without payload");
        assertEquals(DropReason.LENGTH, decode(opcode, 0, 1, shortest + pad), "length is no multiple of 4");
        DropReason fourMore = WireOpcode.hasPayload(opcode) ? DropReason.NONE : DropReason.LENGTH;
        assertEquals(fourMore, decode(opcode, 0, 1, shortest + 4), "a payload");
        assertEquals(fourMore, decode(opcode, pad << 4, 1, shortest + 4), "a payload with a pad");
        if (shortest > 16) {
            assertEquals(DropReason.LENGTH, decode(opcode, 0, 1, shortest - 4), "a truncated header");
        }
        if (shortest + 4100 <= PacketBuffer.MAX_BYTES) {
            assertEquals(DropReason.LENGTH, decode(opcode, 0, 1, shortest + 4100), "more than the maximum MTU");
        }
    }

    /** L20 and L21. */
    @Property(tries = 500)
    void payloadLengthMustMatchPositionInMessage(@ForAll("opcodes") int opcode,
            @ForAll @IntRange(max = 1100) int payload) {
        int length = WireOpcode.hasPayload(opcode) ? payload : 0;
        int total = Fields.of(opcode, new long[Fields.VALUES], new byte[length]).encode(buffer, Packets.IPV4.icrc());
        assertEquals(DropReason.NONE, view.decode(buffer, total));
        String name = WireOpcode.name(opcode);
        boolean expected = !WireOpcode.hasPayload(opcode) || switch (name.replaceAll("_WITH_.*", "")
                .replaceAll(".*_", "")) {
            case "FIRST", "MIDDLE" -> length == 1024;
            case "LAST" -> length >= 1 && length <= 1024;
            case "ONLY" -> length <= 1024;
            default -> throw new AssertionError(name);
        };
        assertEquals(expected, view.fits(1024), name + " with " + length);
    }
}
