package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Catalogue entries L6, L45 to L47, and the lengths of L16: the ICRC compared with the reference implementation. */
final class IcrcTest {
    private static final ValueLayout.OfInt LEAST_FIRST = ValueLayout.JAVA_INT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int CONGESTION = 4;
    private static final int LONGEST = PacketBuffer.MAX_BYTES - Icrc.BYTES;

    /** A BTH and random bytes, up to the ICRC. */
    @Provide
    Arbitrary<byte[]> packets() {
        return Arbitraries.integers().between(3, LONGEST / 4).edgeCases(e -> e.add(3, LONGEST / 4))
                .flatMap(words -> Arbitraries.bytes().array(byte[].class).ofSize(4 * words));
    }

    @Provide
    Arbitrary<byte[]> shortPackets() {
        return Arbitraries.integers().between(3, 16)
                .flatMap(words -> Arbitraries.bytes().array(byte[].class).ofSize(4 * words));
    }

    private static PacketBuffer with(byte[] packet, int icrc) {
        PacketBuffer buffer = Packets.buffer(packet);
        buffer.segment().set(LEAST_FIRST, packet.length, icrc);
        return buffer;
    }

    private static int verify(Path path, byte[] packet, int icrc) {
        return path.icrc().verify(with(packet, icrc), packet.length + Icrc.BYTES);
    }

    private static Path path(boolean ipv4, long high, long low, int port) {
        return ipv4
                // only the low 16 bits of a port are used
                ? Path.ipv4((int) high, port, (int) low, ~port)
                // the first address must not be an IPv4-mapped address
                : new Path(high | 1, low, port, low, high, ~port, 0, 0, 0, 64);
    }

    @Property(tries = 600)
    void appendedIcrcMatchesReference(@ForAll("packets") byte[] packet, @ForAll boolean ipv4, @ForAll long high,
            @ForAll long low, @ForAll @IntRange(max = 65535) int port) {
        Path path = path(ipv4, high, low, port);
        PacketBuffer buffer = Packets.buffer(packet);
        assertEquals(packet.length + Icrc.BYTES, path.icrc().append(buffer, packet.length));
        assertEquals(path.icrcByDefinition(packet), buffer.segment().get(LEAST_FIRST, packet.length));
        assertEquals(0, path.icrc().verify(buffer, packet.length + Icrc.BYTES));
    }

    @Property(tries = 200)
    void newAddressesReplaceEarlierOnes(@ForAll("shortPackets") byte[] packet, @ForAll boolean ipv4,
            @ForAll boolean before, @ForAll long high, @ForAll long low) {
        Path path = path(ipv4, high, low, 4791);
        Path other = path(before, low, ~high, 1);
        Icrc icrc = other.icrc();
        icrc.setAddresses(path.sourceHigh(), path.sourceLow(), path.sourcePort(), path.destinationHigh(),
                path.destinationLow(), path.destinationPort());
        assertEquals(0, icrc.verify(with(packet, path.icrcByDefinition(packet)), packet.length + Icrc.BYTES));
    }

    /** One packet of a sequence. */
    record Step(int path, int id, byte[] packet) {}

    /**
     * Sequences with few lengths, IDs and addresses, so that these repeat. Half of the packets have no congestion
     * marks, as senders leave them.
     */
    @Provide
    Arbitrary<List<Step>> sequences() {
        Arbitrary<byte[]> packet = Arbitraries.of(3, 4, 5, 69, 127, 128, 129)
                .flatMap(words -> Arbitraries.bytes().array(byte[].class).ofSize(4 * words))
                .flatMap(bytes -> Arbitraries.of(true, false).map(marked -> {
                    byte[] chosen = bytes.clone();
                    chosen[CONGESTION] = marked ? bytes[CONGESTION] : 0;
                    return chosen;
                }));
        return Combinators.combine(Arbitraries.integers().between(0, 2), Arbitraries.of(0, 1, 2, 63, 65_535), packet)
                .as(Step::new).list().ofSize(60);
    }

    @Property(tries = 200)
    void cachedStateOfEarlierPacketsDoesNotAffectIcrc(@ForAll("sequences") List<Step> steps) {
        Path[] paths = {Packets.IPV4, path(true, 7, 9, 4791), Packets.IPV6};
        Icrc icrc = new Icrc();
        for (Step step : steps) {
            Path path = paths[step.path()].withId(step.id(), Path.DONT_FRAGMENT);
            icrc.setAddresses(path.sourceHigh(), path.sourceLow(), path.sourcePort(), path.destinationHigh(),
                    path.destinationLow(), path.destinationPort());
            icrc.setIpId(step.id());
            PacketBuffer buffer = Packets.buffer(step.packet());
            icrc.append(buffer, step.packet().length);
            assertEquals(path.icrcByDefinition(step.packet()), buffer.segment().get(LEAST_FIRST, step.packet().length));
        }
    }

    @Property(tries = 600)
    void fieldsThatRoutersChangeAreNotCovered(@ForAll("shortPackets") byte[] packet, @ForAll boolean ipv4,
            @ForAll byte tos, @ForAll byte ttl, @ForAll short checksum, @ForAll byte congestion) {
        Path path = ipv4 ? Packets.IPV4 : Packets.IPV6;
        int icrc = path.icrcByDefinition(packet);
        byte[] changed = packet.clone();
        changed[CONGESTION] = congestion;
        assertEquals(icrc, IcrcByDefinition.of(path.withMutable(tos, ttl).ipPacket(changed, checksum)));
        assertEquals(0, verify(path, changed, icrc));
    }

    @Property(tries = 500)
    void verifyReturnsIdWithOrWithoutDontFragment(@ForAll("packets") byte[] packet,
            @ForAll @IntRange(max = 65535) int id, @ForAll boolean mayFragment) {
        Path sent = Packets.IPV4.withId(id, mayFragment ? 0 : Path.DONT_FRAGMENT);
        assertEquals(id, verify(Packets.IPV4, packet, sent.icrcByDefinition(packet)));
    }

    @Property(tries = 200)
    void icrcOfFragmentIsMismatch(@ForAll("packets") byte[] packet, @ForAll @IntRange(max = 65535) int id,
            @ForAll @IntRange(min = 1, max = 0x3FFF) int moreOrOffset) {
        Path sent = Packets.IPV4.withId(id, moreOrOffset);
        assertEquals(Icrc.MISMATCH, verify(Packets.IPV4, packet, sent.icrcByDefinition(packet)));
    }

    /**
     * Verification fails if and only if none of the 2^17 possible IP headers of the sender gives the random ICRC.
     */
    @Property(tries = 3)
    void mismatchMeansThatNoHeaderGivesTheIcrc(@ForAll int icrc) {
        byte[] packet = new byte[Bth.BYTES];
        boolean matched = false;
        for (int id = 0; id < 1 << 16; id++) {
            matched |= Packets.IPV4.withId(id, 0).icrcByDefinition(packet) == icrc
                    || Packets.IPV4.withId(id, Path.DONT_FRAGMENT).icrcByDefinition(packet) == icrc;
        }
        assertEquals(matched, verify(Packets.IPV4, packet, icrc) != Icrc.MISMATCH);
    }

    @Property(tries = 30)
    void eachFlippedBitIsDetectedOverIpv6(@ForAll("packets") byte[] packet) {
        int icrc = Packets.IPV6.icrcByDefinition(packet);
        PacketBuffer buffer = with(packet, icrc);
        Icrc checker = Packets.IPV6.icrc();
        for (int bit = 0; bit < 8 * (packet.length + Icrc.BYTES); bit++) {
            flip(buffer, bit);
            int expected = bit / 8 == CONGESTION ? 0 : Icrc.MISMATCH;
            assertEquals(expected, checker.verify(buffer, packet.length + Icrc.BYTES), "bit " + bit);
            flip(buffer, bit);
        }
        assertEquals(0, checker.verify(buffer, packet.length + Icrc.BYTES), "the restored packet");
    }

    @Property(tries = 200)
    void eachFlippedBitOfShortPacketIsDetectedOverIpv4(@ForAll("shortPackets") byte[] packet,
            @ForAll @IntRange(max = 65535) int id) {
        PacketBuffer buffer = with(packet, Packets.IPV4.withId(id, Path.DONT_FRAGMENT).icrcByDefinition(packet));
        Icrc checker = Packets.IPV4.icrc();
        for (int bit = 0; bit < 8 * (packet.length + Icrc.BYTES); bit++) {
            flip(buffer, bit);
            int expected = bit / 8 == CONGESTION ? id : Icrc.MISMATCH;
            assertEquals(expected, checker.verify(buffer, packet.length + Icrc.BYTES), "bit " + bit);
            flip(buffer, bit);
        }
    }

    /** In a long packet some flipped bits look like another ID, never like the same one; the reference agrees. */
    @Property(tries = 10)
    void flippedBitOfLongPacketIsDetectedOrMatchesAnotherIdOverIpv4(@ForAll("packets") byte[] packet) {
        int icrc = Packets.IPV4.icrcByDefinition(packet);
        PacketBuffer buffer = with(packet, icrc);
        Icrc checker = Packets.IPV4.icrc();
        for (int bit = 8 * Bth.BYTES; bit < 8 * packet.length; bit++) {
            flip(buffer, bit);
            int id = checker.verify(buffer, packet.length + Icrc.BYTES);
            assertNotEquals(0, id, "bit " + bit);
            if (id != Icrc.MISMATCH) {
                byte[] flipped = Packets.bytes(buffer, packet.length);
                assertEquals(true, Packets.IPV4.withId(id, Path.DONT_FRAGMENT).icrcByDefinition(flipped) == icrc
                        || Packets.IPV4.withId(id, 0).icrcByDefinition(flipped) == icrc, "bit " + bit);
            }
            flip(buffer, bit);
        }
    }

    private static void flip(PacketBuffer buffer, int bit) {
        byte was = buffer.segment().get(JAVA_BYTE, bit / 8);
        buffer.segment().set(JAVA_BYTE, bit / 8, (byte) (was ^ 1 << bit % 8));
    }

    @Property(tries = 200)
    void otherAddressPortOrLengthIsMismatch(@ForAll("shortPackets") byte[] packet,
            @ForAll @IntRange(max = 4) int what) {
        Path sent = Packets.IPV6;
        int icrc = sent.icrcByDefinition(packet);
        int one = 1;
        Path other = new Path(sent.sourceHigh(), sent.sourceLow() ^ (what == 0 ? one : 0),
                sent.sourcePort() ^ (what == 1 ? one : 0), sent.destinationHigh(),
                sent.destinationLow() ^ (what == 2 ? one : 0), sent.destinationPort() ^ (what == 3 ? one : 0), 0, 0, 0,
                64);
        if (what == 4) {
            byte[] longer = Arrays.copyOf(packet, packet.length + 4);
            assertEquals(Icrc.MISMATCH, verify(sent, longer, icrc));
        } else {
            assertEquals(Icrc.MISMATCH, verify(other, packet, icrc));
        }
    }

    @Example
    void impossibleLengthsAreRejected() {
        PacketBuffer buffer = Packets.buffer();
        Icrc icrc = Packets.IPV4.icrc();
        for (int length : new int[] {Integer.MIN_VALUE, -4, 0, 4, 12, 15, 17, 4133, 4136, Integer.MAX_VALUE}) {
            assertEquals(Icrc.MISMATCH, icrc.verify(buffer, length), "length " + length);
        }
        for (int length : new int[] {Integer.MIN_VALUE, -4, 0, 8, 13, 4129, 4132, Integer.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> icrc.append(buffer, length));
        }
    }

    @Example
    void byteOrderOfBufferHasNoEffect() {
        byte[] packet = "0123456789abcdef".repeat(4).getBytes(StandardCharsets.US_ASCII);
        PacketBuffer buffer = with(packet, Packets.IPV4.icrcByDefinition(packet));
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            buffer.bytes().order(order);
            assertEquals(0, Packets.IPV4.icrc().verify(buffer, packet.length + Icrc.BYTES));
        }
    }
}
