package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BufferKind;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gathering writes and scattering reads: SocketChannel.write(ByteBuffer[]), read(ByteBuffer[]), with ranges. */
abstract class GatherScatterContract extends ChannelContract {
    private static final int MANY = 3000;

    GatherScatterContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static ByteBuffer[] texts(String... texts) {
        return Arrays.stream(texts).map(TestBytes::text).toArray(ByteBuffer[]::new);
    }

    private static ByteBuffer[] empty(int... lengths) {
        return Arrays.stream(lengths).mapToObj(ByteBuffer::allocate).toArray(ByteBuffer[]::new);
    }

    /** Reads until the buffers of a range are full. */
    private static void readFully(SocketChannel from, ByteBuffer[] into, int offset, int length) throws IOException {
        while (into[offset + length - 1].hasRemaining()) {
            assertTrue(from.read(into, offset, length) > 0);
        }
    }

    // GatheringByteChannel.write: bytes are written in the order of the buffers
    @Test
    void aGatheringWriteWritesTheBuffersInTheirOrder() throws Exception {
        Pair pair = pair();
        ByteBuffer[] from = texts("ab", "cde", "f");
        assertEquals(6, pair.client().write(from));
        assertEquals("abcdef", TestBytes.readText(pair.server(), 6));
        for (ByteBuffer each : from) {
            assertEquals(each.limit(), each.position());
        }
    }

    // GatheringByteChannel.write(ByteBuffer[], int, int)
    @Test
    void aGatheringWriteOfARangeWritesItsBuffersOnly() throws Exception {
        Pair pair = pair();
        ByteBuffer[] from = texts("ab", "cd", "ef", "gh");
        assertEquals(4, pair.client().write(from, 1, 2));
        assertEquals(1, pair.client().write(TestBytes.text("!")));
        assertEquals("cdef!", TestBytes.readText(pair.server(), 5));
        assertEquals(0, from[0].position());
        assertEquals(0, from[3].position());
    }

    @ParameterizedTest
    @EnumSource
    void aGatheringWriteMixesKindsOfBuffers(BufferKind kind) throws Exception {
        Pair pair = pair();
        ByteBuffer[] from = {ByteBuffer.wrap(TestBytes.sequence(0, 100)), kind.of(TestBytes.sequence(100, 200)),
            BufferKind.DIRECT.of(TestBytes.sequence(300, 50)).asReadOnlyBuffer(),
            kind.of(TestBytes.sequence(350, 1)).asReadOnlyBuffer()};
        assertEquals(351, pair.client().write(from));
        TestBytes.readSequence(pair.server(), 351);
    }

    // the JDK takes the bytes of each element before it moves a position
    @Test
    void aGatheringWriteWritesABufferThatIsThereTwiceTwoTimes() throws Exception {
        Pair pair = pair();
        ByteBuffer twice = TestBytes.text("abc");
        assertEquals(8, pair.client().write(new ByteBuffer[] {twice, twice, TestBytes.text("de")}));
        assertFalse(twice.hasRemaining());
        assertEquals(1, pair.client().write(TestBytes.text("!")));
        assertEquals("abcabcde!", TestBytes.readText(pair.server(), 9));
    }

    @Test
    void aGatheringWriteSkipsEmptyBuffers() throws Exception {
        Pair pair = pair();
        assertEquals(2, pair.client().write(texts("", "a", "", "", "b", "")));
        assertEquals("ab", TestBytes.readText(pair.server(), 2));
    }

    @Test
    void aGatheringWriteGoesOnAtTheFirstBufferThatRemains() throws Exception {
        Pair pair = pair();
        ByteBuffer[] from = new ByteBuffer[MANY];
        for (int i = 0; i < MANY; i++) {
            from[i] = ByteBuffer.wrap(TestBytes.sequence(2 * i, 2));
        }
        long total = 0;
        while (total < 2 * MANY) {
            int done = (int) (total / 2);
            long count = pair.client().write(from, done, MANY - done);
            assertTrue(count > 0);
            total += count;
        }
        assertEquals(2 * MANY, total);
        TestBytes.readSequence(pair.server(), 2 * MANY);
    }

    @Test
    void aShortGatheringWriteMovesThePositionsByWhatItHasWritten() throws Exception {
        Pair pair = pair().nonBlocking();
        ByteBuffer[] from = {ByteBuffer.wrap(TestBytes.sequence(0, 8 << 20)),
            ByteBuffer.wrap(TestBytes.sequence(8 << 20, 8 << 20))};
        long count = pair.client().write(from);
        assertTrue(count > 0 && count < 16 << 20, () -> count + " bytes were written");
        assertEquals(count, from[0].position() + from[1].position());
        assertTrue(from[1].position() == 0 || !from[0].hasRemaining());
        TestBytes.readSequence(pair.server(), count);
        assertEquals(0, pair.server().read(ByteBuffer.allocate(1)));
    }

    // ScatteringByteChannel.read: fills the buffers in their order
    @Test
    void aScatteringReadFillsTheBuffersInTheirOrder() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("abcdef"));
        ByteBuffer[] into = empty(1, 3, 2);
        readFully(pair.client(), into, 0, 3);
        assertEquals("a", TestBytes.textBefore(into[0]));
        assertEquals("bcd", TestBytes.textBefore(into[1]));
        assertEquals("ef", TestBytes.textBefore(into[2]));
    }

    @Test
    void aScatteringReadOfFewerBytesLeavesTheLastBuffersEmpty() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("ab"));
        ByteBuffer[] into = empty(1, 4, 4);
        long count = pair.client().read(into);
        while (count < 2) {
            count += pair.client().read(into);
        }
        assertEquals(2, count);
        assertEquals("a", TestBytes.textBefore(into[0]));
        assertEquals("b", TestBytes.textBefore(into[1]));
        assertEquals(0, into[2].position());
    }

    // ScatteringByteChannel.read(ByteBuffer[], int, int)
    @Test
    void aScatteringReadOfARangeFillsItsBuffersOnly() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("abcdef"));
        ByteBuffer[] into = empty(2, 2, 2, 2);
        readFully(pair.client(), into, 1, 2);
        assertEquals(0, into[0].position());
        assertEquals("ab", TestBytes.textBefore(into[1]));
        assertEquals("cd", TestBytes.textBefore(into[2]));
        assertEquals(0, into[3].position());
        assertEquals("ef", TestBytes.readText(pair.client(), 2));
    }

    @ParameterizedTest
    @EnumSource
    void aScatteringReadMixesKindsOfBuffers(BufferKind kind) throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), ByteBuffer.wrap(TestBytes.sequence(0, 160)));
        ByteBuffer[] into = {ByteBuffer.allocate(10), kind.allocate(100), ByteBuffer.allocateDirect(50)};
        int start = into[1].position();
        readFully(pair.client(), into, 0, 3);
        TestBytes.assertSequence(0, into[0]);
        TestBytes.assertSequence(10, into[1].position(start).slice().position(100));
        TestBytes.assertSequence(110, into[2]);
    }

    @Test
    void aScatteringReadSkipsFullBuffers() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("ab"));
        ByteBuffer[] into = empty(0, 1, 0, 1);
        readFully(pair.client(), into, 0, 4);
        assertEquals("a", TestBytes.textBefore(into[1]));
        assertEquals("b", TestBytes.textBefore(into[3]));
    }

    @Test
    void aScatteringReadFillsManyBuffers() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), ByteBuffer.wrap(TestBytes.sequence(0, MANY)));
        ByteBuffer[] into = new ByteBuffer[MANY];
        Arrays.setAll(into, i -> ByteBuffer.allocate(1));
        int total = 0;
        while (total < MANY) {
            total += (int) pair.client().read(into, total, MANY - total);
        }
        for (int i = 0; i < MANY; i++) {
            TestBytes.assertSequence(i, into[i].position(1));
        }
    }

    // ScatteringByteChannel.read: IllegalArgumentException if a buffer is read-only
    @Test
    void aScatteringReadRefusesAReadOnlyBufferAndTheBytesCanBeReadThen() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("abcd"));
        ByteBuffer[] into = {ByteBuffer.allocate(2), ByteBuffer.allocate(2).asReadOnlyBuffer()};
        assertThrows(IllegalArgumentException.class, () -> pair.client().read(into));
        assertEquals(0, into[0].position());
        assertEquals("abcd", TestBytes.readText(pair.client(), 4));
    }

    // GatheringByteChannel.write, ScatteringByteChannel.read: IndexOutOfBoundsException
    @ParameterizedTest
    @CsvSource({"-1, 1", "0, -1", "0, 3", "1, 2", "2, 1", "3, 0", "2147483647, 1", "1, 2147483647", "-1, -1"})
    void aRangeOutsideOfTheArrayIsRefused(int offset, int length) throws Exception {
        Pair pair = pair();
        ByteBuffer[] from = texts("a", "b");
        assertThrows(IndexOutOfBoundsException.class, () -> pair.client().write(from, offset, length));
        assertThrows(IndexOutOfBoundsException.class, () -> pair.client().read(empty(1, 1), offset, length));
        assertEquals(0, from[0].position());
        pair.client().close();
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 0"})
    void anEmptyRangeTransfersNothing(int offset, int length) throws Exception {
        Pair pair = pair();
        assertEquals(0, pair.client().write(texts("a", "b"), offset, length));
        assertEquals(0, pair.client().read(empty(1, 1), offset, length));
        assertEquals(1, pair.client().write(TestBytes.text("!")));
        assertEquals("!", TestBytes.readText(pair.server(), 1));
    }

    @Test
    void anEmptyArrayAndEmptyBuffersTransferNothing() throws Exception {
        Pair pair = pair();
        assertEquals(0, pair.client().write(new ByteBuffer[0]));
        assertEquals(0, pair.client().read(new ByteBuffer[0]));
        assertEquals(0, pair.client().write(empty(0, 0)));
        assertEquals(0, pair.client().read(empty(0, 0)));
    }

    @Test
    void theArrayMustNotBeNull() throws Exception {
        Pair pair = pair();
        assertThrows(NullPointerException.class, () -> pair.client().write((ByteBuffer[]) null));
        assertThrows(NullPointerException.class, () -> pair.client().read((ByteBuffer[]) null));
        assertThrows(NullPointerException.class, () -> pair.client().write(null, 0, 1));
        assertThrows(NullPointerException.class, () -> pair.client().read(null, 0, 1));
    }

    @Test
    void theBuffersOfTheRangeMustNotBeNull() throws Exception {
        Pair pair = pair();
        ByteBuffer[] from = {TestBytes.text("a"), null};
        assertThrows(NullPointerException.class, () -> pair.client().write(from));
        assertEquals(0, from[0].position());
        TestBytes.writeFully(pair.server(), TestBytes.text("xy"));
        ByteBuffer[] into = {ByteBuffer.allocate(1), null};
        assertThrows(NullPointerException.class, () -> pair.client().read(into));
        assertEquals("xy", TestBytes.readText(pair.client(), 2));
        assertEquals(1, pair.client().write(from, 0, 1));
        assertEquals("a", TestBytes.readText(pair.server(), 1));
    }

    @Test
    void aNonBlockingScatteringReadReturnsZeroWithoutData() throws Exception {
        Pair pair = pair().nonBlocking();
        assertEquals(0, pair.client().read(empty(1, 1)));
    }

    // ScatteringByteChannel.read: -1 if the channel has reached the end of the stream
    @Test
    void aScatteringReadAtTheEndOfTheStreamReturnsMinusOne() throws Exception {
        Pair pair = pair();
        pair.server().close();
        assertEquals(-1, pair.client().read(empty(1, 1)));
        assertEquals(-1, pair.client().read(empty(1, 1), 1, 1));
    }

    // SocketChannel.read, write: NotYetConnectedException
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUnconnectedChannelThrows(boolean blocking) throws IOException {
        SocketChannel channel = channel();
        channel.configureBlocking(blocking);
        assertThrows(NotYetConnectedException.class, () -> channel.write(texts("a")));
        assertThrows(NotYetConnectedException.class, () -> channel.read(empty(1)));
        assertTrue(channel.isOpen());
    }

    // GatheringByteChannel.write, ScatteringByteChannel.read: ClosedChannelException
    @Test
    void aClosedChannelThrows() throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.write(texts("a", "b")));
        assertThrows(ClosedChannelException.class, () -> channel.read(empty(1, 1)));
        assertThrows(ClosedChannelException.class, () -> channel.write(texts("a", "b"), 1, 1));
        assertThrows(ClosedChannelException.class, () -> channel.read(empty(1, 1), 1, 1));
    }
}
