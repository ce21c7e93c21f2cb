package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.soft.wire.Packets.Fields;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Catalogue entries L9 to L17: decoding an encoded packet returns its fields, for every supported opcode. */
final class RoundTripTest {
    @Provide
    Arbitrary<Integer> opcodes() {
        return Arbitraries.of(Packets.OPCODES);
    }

    @Property(tries = 1500)
    void decodedFieldsMatchEncodedFields(@ForAll("opcodes") int opcode,
            @ForAll @Size(Fields.VALUES) long[] values, @ForAll @Size(max = 4096) byte[] payload) {
        Fields sent = Fields.of(opcode, values, payload);
        PacketBuffer buffer = Packets.buffer();
        int length = sent.encode(buffer, Packets.IPV4.icrc());
        PacketView view = new PacketView();
        assertEquals(DropReason.NONE, view.decode(buffer, length));
        assertEquals(DropReason.NONE, view.check(Packets.IPV4.icrc()));
        assertBth(sent, view);
        assertExtensions(sent, view, WireOpcode.traits(opcode));
        assertPayload(sent, view, length);
    }

    private static void assertBth(Fields sent, PacketView view) {
        assertEquals(sent.opcode(), view.opcode());
        assertEquals((sent.flags() & Bth.SOLICITED) != 0, view.solicited());
        assertEquals((sent.flags() & Bth.MIG_REQ) != 0, view.migReq());
        assertEquals((sent.flags() & Bth.ACK_REQUEST) != 0, view.ackRequest());
        assertEquals(sent.pkey(), view.pkey());
        assertEquals(sent.destinationQpn(), view.destinationQpn());
        assertEquals(sent.psn(), view.psn());
    }

    private static void assertExtensions(Fields sent, PacketView view, int traits) {
        boolean deth = (traits & WireOpcode.HAS_DETH) != 0;
        assertEquals(deth ? sent.qkey() : 0, view.qkey());
        assertEquals(deth ? sent.sourceQpn() : 0, view.sourceQpn());
        boolean reth = (traits & WireOpcode.HAS_RETH) != 0;
        boolean atomic = (traits & WireOpcode.HAS_ATOMIC_ETH) != 0;
        assertEquals(reth || atomic ? sent.remoteAddress() : 0, view.remoteAddress());
        assertEquals(reth || atomic ? sent.rkey() : 0, view.rkey());
        assertEquals(reth ? sent.length() : 0, view.dmaLength());
        assertEquals(atomic ? sent.swapOrAdd() : 0, view.swapOrAdd());
        assertEquals(atomic ? sent.compare() : 0, view.compare());
        boolean aeth = (traits & WireOpcode.HAS_AETH) != 0;
        assertEquals(aeth ? sent.syndrome() : 0, view.syndrome());
        assertEquals(aeth ? sent.msn() : 0, view.msn());
        assertEquals((traits & WireOpcode.HAS_ATOMIC_ACK_ETH) != 0 ? sent.original() : 0, view.original());
        assertEquals((traits & WireOpcode.HAS_IMM_DT) != 0 ? sent.immediate() : 0, view.immediate());
        assertEquals((traits & WireOpcode.HAS_IETH) != 0 ? sent.rkey() : 0, view.invalidatedRkey());
    }

    private static void assertPayload(Fields sent, PacketView view, int length) {
        int begin = view.payloadOffset();
        int end = begin + view.payloadLength();
        assertEquals(sent.payload().length, view.payloadLength());
        byte[] bytes = Packets.bytes(new PacketBuffer(view.packet()), length);
        assertArrayEquals(sent.payload(), Arrays.copyOfRange(bytes, begin, end));
        int pad = -sent.payload().length & 3;
        assertArrayEquals(new byte[pad], Arrays.copyOfRange(bytes, end, length - Icrc.BYTES), "the pad is zero");
    }

    @Property(tries = 600)
    void padAndReservedBitsAreIgnored(@ForAll("opcodes") int opcode,
            @ForAll @Size(Fields.VALUES) long[] values, @ForAll @Size(max = 64) byte[] payload, @ForAll byte noise) {
        Fields sent = Fields.of(opcode, values, payload);
        PacketBuffer buffer = Packets.buffer();
        int length = sent.encode(buffer, Packets.IPV6.icrc());
        for (int i = WireOpcode.headerLength(opcode) + sent.payload().length; i < length - Icrc.BYTES; i++) {
            buffer.segment().set(JAVA_BYTE, i, noise);
        }
        buffer.segment().set(JAVA_BYTE, 4, noise);
        buffer.segment().set(JAVA_BYTE, 8, (byte) (buffer.segment().get(JAVA_BYTE, 8) | noise & 0x7F));
        Packets.IPV6.icrc().append(buffer, length - Icrc.BYTES);
        PacketView view = new PacketView();
        assertEquals(DropReason.NONE, view.decode(buffer, length));
        assertEquals(DropReason.NONE, view.check(Packets.IPV6.icrc()));
        assertBth(sent, view);
        assertEquals(sent.payload().length, view.payloadLength());
    }
}
