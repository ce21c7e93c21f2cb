package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Packets that the system delivers in one buffer (UDP_GRO). The segment size that the system reports is not trusted: a
 * wrong one leads to dropped packets only.
 */
final class GroReceiveTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 64;
    /** BTH, RETH and ICRC. */
    private static final int PACKET = 12 + 16 + BYTES + 4;
    /** The maximum payload of a UDP datagram. */
    private static final int MAX_BUFFER = 65_507;
    private static final int LARGE_ID = 4711;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_BUFFER);
    private ScriptedPeer peer;
    private MemoryRegion memory;

    @BeforeEach
    @BeforeTry
    void connect() {
        if (peer == null) {
            peer = new ScriptedPeer(QpType.RC, 1);
            memory = peer.memory(8 * BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        }
        buffer.clear();
    }

    @AfterEach
    @AfterProperty
    void close() {
        peer.close();
        peer = null;
    }

    /** Appends a WRITE. Its number determines its PSN, its target address and the value of its bytes. */
    private void append(int number, int bytes, int id) {
        peer.packet(WireOpcode.RC | WireOpcode.WRITE_ONLY, PSN + number, ScriptedPeer.PKEY, bytes)
                .reth(memory.address() + (long) number * BYTES, memory.rkey(), bytes);
        peer.fill(bytes, (byte) (number + 1));
        peer.appendTo(buffer, id);
    }

    private void assertWritten(int number, int bytes) {
        for (int i = 0; i < BYTES; i++) {
            assertEquals(i < bytes ? number + 1 : 0,
                    memory.segment().get(ValueLayout.JAVA_BYTE, (long) number * BYTES + i), "byte " + i);
        }
    }

    private void assertCounted(long received, long damaged, long malformed) {
        assertEquals(List.of(received, damaged, malformed), List.of(peer.received(),
                peer.counted(Counter.BAD_ICRC), peer.counted(Counter.MALFORMED)));
    }

    @Test
    void packetsWithTheIpIdsOfASegmentedSendAreAccepted() {
        for (int i = 0; i < 3; i++) {
            append(i, BYTES, i);
        }
        peer.receiveGro(buffer.flip(), PACKET);

        assertCounted(3, 0, 0);
        for (int i = 0; i < 3; i++) {
            assertWritten(i, BYTES);
        }
    }

    @Test
    void theLastPacketMayBeShorter() {
        append(0, BYTES, 0);
        append(1, BYTES - 4, 1);
        peer.receiveGro(buffer.flip(), PACKET);

        assertCounted(2, 0, 0);
        assertWritten(1, BYTES - 4);
    }

    /** The network may merge packets that were sent separately, so that IDs do not start at 0. */
    @Test
    void ipIdsMayStartAtAnyNumberOfTheRange() {
        append(0, BYTES, 7);
        append(1, BYTES, 0);
        peer.receiveGro(buffer.flip(), PACKET);

        assertCounted(2, 0, 0);
    }

    @Test
    void anIpIdThatTheSenderDoesNotUseCountsAsAnIcrcError() {
        append(0, BYTES, 0);
        append(1, BYTES, LARGE_ID);
        peer.receiveGro(buffer.flip(), PACKET);

        assertCounted(1, 1, 0);
    }

    @Test
    void onlyTheCorruptedPacketIsDroppedForItsIcrc() {
        for (int i = 0; i < 3; i++) {
            append(i, BYTES, i);
        }
        buffer.put(PACKET + PACKET / 2, (byte) 0);
        peer.receiveGro(buffer.flip(), PACKET);

        assertCounted(1, 1, 0);
        assertEquals(1, peer.counted(Counter.OUT_OF_SEQUENCE));
        assertWritten(1, 0);
    }

    @Test
    void aWrongSegmentSizeDropsThePacketsAndWritesNothing() {
        for (int i = 0; i < 3; i++) {
            append(i, BYTES, i);
        }
        peer.receiveGro(buffer.flip(), PACKET - 4);

        assertEquals(0, peer.received());
        assertEquals(4, peer.counted(Counter.BAD_ICRC) + peer.counted(Counter.MALFORMED));
        assertWritten(0, 0);
    }

    @Test
    void aSegmentSizeOfZeroMakesOnePacketThatIsDropped() {
        append(0, BYTES, 0);
        append(1, BYTES, 1);
        peer.receiveGro(buffer.flip(), 0);

        assertEquals(0, peer.received());
        assertEquals(1, peer.counted(Counter.BAD_ICRC) + peer.counted(Counter.MALFORMED));
    }

    /** For any bytes and any segment size, each packet is dropped for exactly one reason. */
    @Property(tries = 500)
    void randomBytesAreDroppedAndCountedOncePerPacket(@ForAll long seed, @ForAll @IntRange(max = MAX_BUFFER) int length,
            @ForAll @IntRange(min = -1, max = 10_000) int each) {
        byte[] noise = new byte[length];
        new Random(seed).nextBytes(noise);
        long before = dropped();
        peer.receiveGro(buffer.put(noise).flip(), each);

        long packets = each <= 0 || each >= length ? 1 : (length + each - 1) / each;
        assertEquals(packets, dropped() - before);
        assertEquals(0, peer.received());
    }

    private long dropped() {
        // about one random packet in ten thousand has a valid ICRC with one of the accepted IDs
        return peer.counted(Counter.BAD_ICRC) + peer.counted(Counter.MALFORMED)
                + peer.counted(Counter.UNKNOWN_QUEUE_PAIR);
    }
}
