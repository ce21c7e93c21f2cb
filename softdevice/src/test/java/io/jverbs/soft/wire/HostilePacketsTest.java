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

/** Catalogue items L16, L23, L26 and L28: whatever comes, nothing is thrown and nothing beyond it is read. */
final class HostilePacketsTest {
    private final PacketBuffer buffer = Packets.buffer();
    private final PacketView view = new PacketView();

    @Provide
    Arbitrary<Integer> opcodes() {
        return Arbitraries.of(Packets.OPCODES);
    }

    /** All that the view says, with other bytes after the datagram. */
    private List<Object> look(int length, byte beyond) {
        for (int i = Math.clamp(length, 0, PacketBuffer.MAX_BYTES); i < buffer.segment().byteSize(); i++) {
            buffer.segment().set(JAVA_BYTE, i, beyond);
        }
        Drop drop = view.decode(buffer, length);
        return List.of(drop, view.check(Packets.IPV4.icrc()), view.opcode(), view.solicited(), view.migReq(),
                view.pkey(), view.destinationQpn(), view.ackRequest(), view.psn(), view.payloadOffset(),
                view.payloadLength(), view.qkey(), view.sourceQpn(), view.remoteAddress(), view.rkey(),
                view.dmaLength(), view.syndrome(), view.msn(), view.swapOrAdd(), view.compare(), view.original(),
                view.immediate(), view.invalidatedRkey(), view.fits(1024));
    }

    private Drop assertBounded(int length) {
        List<Object> said = look(length, (byte) 0x00);
        assertEquals(said, look(length, (byte) 0xFF), "what follows the datagram is seen");
        Drop drop = (Drop) said.getFirst();
        int end = view.payloadOffset() + view.payloadLength();
        assertTrue(view.payloadLength() >= 0 && view.payloadOffset() >= 0, drop::name);
        if (drop == Drop.NONE) {
            assertTrue(view.payloadOffset() >= Bth.BYTES && end <= length - Icrc.BYTES, "payload to " + end);
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
    void randomBytesStayInTheirBounds(@ForAll @Size(max = 128) byte[] bytes) {
        put(bytes);
        assertBounded(bytes.length);
    }

    /** The version fits, so that more of them get past the first look. */
    @Property(tries = 6000)
    void randomBytesOfTheRightVersionStayInTheirBounds(@ForAll @Size(min = 16, max = 128) byte[] bytes) {
        bytes[1] &= (byte) 0xF0;
        put(bytes);
        assertBounded(bytes.length & ~3);
    }

    @Property(tries = 500)
    void anyLengthIsBounded(@ForAll("opcodes") int opcode, @ForAll int length) {
        put(new byte[] {(byte) opcode, 0, 0, 0, 0, 0, 0, 1});
        assertBounded(length);
    }

    @Property(tries = 6000)
    void damagedPacketsStayInTheirBounds(@ForAll("opcodes") int opcode, @ForAll @Size(Fields.VALUES) long[] values,
            @ForAll @Size(max = 64) byte[] payload, @ForAll @IntRange(max = 12) int at, @ForAll byte damage,
            @ForAll @IntRange(min = -64, max = 64) int longer) {
        int length = Fields.of(opcode, values, payload).encode(buffer, Packets.IPV4.icrc());
        buffer.segment().set(JAVA_BYTE, at, damage);
        assertBounded(length + longer);
    }

    @Property(tries = 1000)
    void everyTruncationIsRefusedOrShortensThePayloadAndFailsTheIcrc(@ForAll("opcodes") int opcode,
            @ForAll @Size(Fields.VALUES) long[] values, @ForAll @Size(max = 64) byte[] payload) {
        int whole = Fields.of(opcode, values, payload).encode(buffer, Packets.IPV6.icrc());
        byte[] bytes = Packets.bytes(buffer, whole);
        for (int length = 0; length < whole; length++) {
            put(bytes);
            Drop drop = assertBounded(length);
            put(bytes);
            assertTrue(drop != Drop.NONE || view.check(Packets.IPV6.icrc()) == Drop.ICRC, "length " + length);
        }
    }

    private Drop decode(int opcode, int second, int destinationQpn, int length) {
        PacketBuffer packet = Packets.buffer();
        packet.segment().fill((byte) 0);
        packet.segment().set(JAVA_BYTE, 0, (byte) opcode);
        packet.segment().set(JAVA_BYTE, 1, (byte) second);
        packet.segment().set(BigEndian.INT, 4, destinationQpn);
        return view.decode(packet, length);
    }

    @Property(tries = 256)
    void everyOpcodeIsJudgedByItsTransport(@ForAll @IntRange(max = 255) int opcode) {
        int shortest = WireOpcode.headerLength(opcode) + Icrc.BYTES;
        boolean transport = List.of(0, 1, 3, 4).contains(opcode >>> 5);
        Drop expected = WireOpcode.isKnown(opcode) ? Drop.NONE : transport ? Drop.OPCODE : Drop.TRANSPORT;
        assertEquals(expected, decode(opcode, 0, 1, shortest));
        assertEquals(opcode, view.opcode());
    }

    @Property(tries = 256)
    void eachFaultHasItsReason(@ForAll("opcodes") int opcode, @ForAll @IntRange(min = 1, max = 15) int version,
            @ForAll @IntRange(min = 1, max = 3) int pad) {
        int shortest = WireOpcode.headerLength(opcode) + Icrc.BYTES;
        assertEquals(Drop.TOO_SHORT, decode(opcode, 0, 1, 15));
        assertEquals(Drop.TOO_LONG, decode(opcode, 0, 1, PacketBuffer.MAX_BYTES + 1));
        assertEquals(Drop.VERSION, decode(opcode, version, 1, shortest));
        assertEquals(Drop.QUEUE_PAIR_0, decode(opcode, 0, 0, shortest));
        assertEquals(Drop.LENGTH, decode(opcode, pad << 4, 1, shortest), "a pad without payload");
        assertEquals(Drop.LENGTH, decode(opcode, 0, 1, shortest + pad), "no multiple of 4");
        Drop fourMore = WireOpcode.hasPayload(opcode) ? Drop.NONE : Drop.LENGTH;
        assertEquals(fourMore, decode(opcode, 0, 1, shortest + 4), "a payload");
        assertEquals(fourMore, decode(opcode, pad << 4, 1, shortest + 4), "a payload and its pad");
        if (shortest > 16) {
            assertEquals(Drop.LENGTH, decode(opcode, 0, 1, shortest - 4), "a header cut");
        }
        if (shortest + 4100 <= PacketBuffer.MAX_BYTES) {
            assertEquals(Drop.LENGTH, decode(opcode, 0, 1, shortest + 4100), "more than the greatest MTU");
        }
    }

    /** L20 and L21. */
    @Property(tries = 500)
    void thePayloadFitsItsPlaceInTheMessage(@ForAll("opcodes") int opcode,
            @ForAll @IntRange(max = 1100) int payload) {
        int length = WireOpcode.hasPayload(opcode) ? payload : 0;
        int total = Fields.of(opcode, new long[Fields.VALUES], new byte[length]).encode(buffer, Packets.IPV4.icrc());
        assertEquals(Drop.NONE, view.decode(buffer, total));
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
