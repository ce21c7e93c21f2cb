package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.soft.transport.Counter;
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

/** Packets that come in one piece (UDP_GRO): what the system says of their size is trusted no more than what is in them. */
final class PiecesTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 64;
    /** BTH, RETH and ICRC. */
    private static final int PACKET = 12 + 16 + BYTES + 4;
    private static final int MOST = 65_507;
    private static final int UNUSUAL_ID = 4711;

    private final ByteBuffer piece = ByteBuffer.allocateDirect(MOST);
    private ScriptedPeer peer;
    private MemoryRegion memory;

    @BeforeEach
    @BeforeTry
    void connect() {
        if (peer == null) {
            peer = new ScriptedPeer(QpType.RC, 1);
            memory = peer.memory(8 * BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        }
        piece.clear();
    }

    @AfterEach
    @AfterProperty
    void close() {
        peer.close();
        peer = null;
    }

    /** A WRITE of as many bytes as its number says, which is also where it goes. */
    private void add(int number, int bytes, int id) {
        peer.packet(WireOpcode.RC | WireOpcode.WRITE_ONLY, PSN + number, ScriptedPeer.PKEY, bytes)
                .reth(memory.address() + (long) number * BYTES, memory.rkey(), bytes);
        peer.fill(bytes, (byte) (number + 1));
        peer.addTo(piece, id);
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
    void packetsThatTheSystemNumbersAreTaken() {
        for (int i = 0; i < 3; i++) {
            add(i, BYTES, i);
        }
        peer.inOnePiece(piece.flip(), PACKET);

        assertCounted(3, 0, 0);
        for (int i = 0; i < 3; i++) {
            assertWritten(i, BYTES);
        }
    }

    @Test
    void theLastMayBeShorter() {
        add(0, BYTES, 0);
        add(1, BYTES - 4, 1);
        peer.inOnePiece(piece.flip(), PACKET);

        assertCounted(2, 0, 0);
        assertWritten(1, BYTES - 4);
    }

    /** Networks may put together what was sent apart, and begin a piece in the middle of one. */
    @Test
    void numbersNeedNotBeginWithNothing() {
        add(0, BYTES, 7);
        add(1, BYTES, 0);
        peer.inOnePiece(piece.flip(), PACKET);

        assertCounted(2, 0, 0);
    }

    @Test
    void aNumberThatTheSenderNeverHadIsTakenForDamage() {
        add(0, BYTES, 0);
        add(1, BYTES, UNUSUAL_ID);
        peer.inOnePiece(piece.flip(), PACKET);

        assertCounted(1, 1, 0);
    }

    @Test
    void aDamagedPacketIsDroppedAlone() {
        for (int i = 0; i < 3; i++) {
            add(i, BYTES, i);
        }
        piece.put(PACKET + PACKET / 2, (byte) 0);
        peer.inOnePiece(piece.flip(), PACKET);

        assertCounted(1, 1, 0);
        assertEquals(1, peer.counted(Counter.OUT_OF_SEQUENCE));
        assertWritten(1, 0);
    }

    @Test
    void aWrongSizeSpoilsWhatItCutsAndNothingElse() {
        for (int i = 0; i < 3; i++) {
            add(i, BYTES, i);
        }
        peer.inOnePiece(piece.flip(), PACKET - 4);

        assertEquals(0, peer.received());
        assertEquals(4, peer.counted(Counter.BAD_ICRC) + peer.counted(Counter.MALFORMED));
        assertWritten(0, 0);
    }

    @Test
    void aSizeOfNothingMakesOnePacketThatIsTooLongForItsHeaders() {
        add(0, BYTES, 0);
        add(1, BYTES, 1);
        peer.inOnePiece(piece.flip(), 0);

        assertEquals(0, peer.received());
        assertEquals(1, peer.counted(Counter.BAD_ICRC) + peer.counted(Counter.MALFORMED));
    }

    /** Whatever the bytes and the size: each packet is dropped for a reason, and none twice. */
    @Property(tries = 500)
    void nothingIsTakenOfNoise(@ForAll long seed, @ForAll @IntRange(max = MOST) int length,
            @ForAll @IntRange(min = -1, max = 10_000) int each) {
        byte[] noise = new byte[length];
        new Random(seed).nextBytes(noise);
        long before = dropped();
        peer.inOnePiece(piece.put(noise).flip(), each);

        long packets = each <= 0 || each >= length ? 1 : (length + each - 1) / each;
        assertEquals(packets, dropped() - before);
        assertEquals(0, peer.received());
    }

    private long dropped() {
        // one ICRC in some ten thousand is right with one of the IDs that a stranger's packet may have
        return peer.counted(Counter.BAD_ICRC) + peer.counted(Counter.MALFORMED)
                + peer.counted(Counter.UNKNOWN_QUEUE_PAIR);
    }
}
