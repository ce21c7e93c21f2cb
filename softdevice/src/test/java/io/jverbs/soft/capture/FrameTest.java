package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The IP and UDP headers of a captured packet. {@link RocePacket} checks the lengths and checksums of each. */
final class FrameTest {
    private static final int PORT = 49_152;
    private static final int ID = 0x1234;
    private static final Gid[] SOURCES = {Gid.parse("::ffff:192.0.2.1"), Gid.parse("2001:db8::1")};
    private static final Gid[] DESTINATIONS = {Gid.parse("::ffff:192.0.2.255"), Gid.parse("2001:db8:ffff:ffff::2")};

    private final Frame frame = new Frame();

    private void between(int family, int port) {
        between(SOURCES[family], port, DESTINATIONS[family]);
    }

    private void between(Gid source, int port, Gid destination) {
        frame.between(source.high(), source.low(), port, destination.high(), destination.low());
    }

    private RocePacket packet(int length) {
        byte[] bytes = new byte[length];
        frame.bytes().get(0, bytes);
        return new RocePacket("soft0", 0, true, length, bytes);
    }

    private static SendBuffer send(byte[] payload) {
        SendBuffer packet = new SendBuffer();
        packet.encoder().begin(packet.buffer(), WireOpcode.SEND_ONLY, 0, 0xFFFF, 17, 5, payload.length);
        MemorySegment.copy(payload, 0, packet.buffer().segment(), ValueLayout.JAVA_BYTE,
                packet.encoder().payloadOffset(), payload.length);
        return packet;
    }

    @Property(tries = 200)
    void aSentPacketGetsHeadersPadAndIcrc(@ForAll @Size(max = 4096) byte[] payload,
            @ForAll @IntRange(max = 1) int family) {
        SendBuffer packet = send(payload);
        between(family, 4791);
        RocePacket captured = packet(frame.complete(packet.buffer().segment(), packet.encoder().written()));

        assertTrue(captured.hasGoodIcrc());
        assertEquals(SOURCES[family], captured.source());
        assertEquals(DESTINATIONS[family], captured.destination());
        assertArrayEquals(payload, captured.payload());
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 4", "1, 0, 4", "0, 1, 0", "1, 0, 0"})
    void addressesOfDifferentFamiliesAreWrittenInIpv6Headers(int from, int to, int payload) {
        SendBuffer packet = send(new byte[payload]);
        between(SOURCES[from], 4791, DESTINATIONS[to]);
        RocePacket captured = packet(frame.complete(packet.buffer().segment(), packet.encoder().written()));

        assertTrue(captured.hasGoodIcrc());
        assertEquals(SOURCES[from], captured.source());
        assertEquals(DESTINATIONS[to], captured.destination());
    }

    @Test
    void aMulticastGidOfAnIpv4GroupIsWrittenAsTheIpv4Address() {
        SendBuffer packet = send(new byte[4]);
        between(SOURCES[0], 4791, Gid.parse("ff0e::ffff:239.1.2.3"));
        RocePacket captured = packet(frame.complete(packet.buffer().segment(), packet.encoder().written()));

        assertTrue(captured.hasGoodIcrc());
        assertEquals(Gid.parse("::ffff:239.1.2.3"), captured.destination());
    }

    /**
     * The system does not report the IPv4 ID of a packet from the wire. The ID is computed from the ICRC, wherever in a
     * coalesced message the packet was.
     */
    @Property(tries = 50)
    void aReceivedPacketGetsTheIdThatItsIcrcCovers(@ForAll @Size(max = 99) byte[] payload,
            @ForAll @IntRange(max = 1) int family, @ForAll @IntRange(max = 63) int index) {
        SendBuffer packet = send(payload);
        Icrc icrc = packet.icrc();
        Gid source = SOURCES[family];
        Gid destination = DESTINATIONS[family];
        icrc.setAddresses(source.high(), source.low(), PORT, destination.high(), destination.low(), 4791);
        icrc.setIpId(ID);
        int length = packet.encoder().finish(icrc);
        between(family, PORT);

        RocePacket captured = packet(frame.take(packet.buffer(), length, index));
        assertTrue(captured.hasGoodIcrc());
        assertArrayEquals(payload, captured.payload());
        assertEquals(family == 0 ? ID : 0, family == 0 ? captured.bytes()[4] << 8 | captured.bytes()[5] : 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 11, 12, 17, 4132, 5000, 65_507, 65_527})
    void anInvalidPacketIsCapturedUnchanged(int length) {
        SendBuffer packet = send(new byte[8]);
        for (int family = 0; family < SOURCES.length; family++) {
            between(family, PORT);
            int whole = frame.take(new io.jverbs.soft.wire.PacketBuffer(
                    java.lang.foreign.Arena.ofAuto().allocate(1 << 16).copyFrom(packet.buffer().segment())), length, 0);
            if (length <= 65_507) {
                RocePacket captured = packet(whole);
                assertFalse(length > 15 && captured.hasGoodIcrc());
                assertEquals(whole, captured.bytes().length);
            }
        }
    }
}
