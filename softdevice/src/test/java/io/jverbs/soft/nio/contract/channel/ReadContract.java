package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.BufferKind;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SocketChannel.read(ByteBuffer). */
abstract class ReadContract extends ChannelContract {
    ReadContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static void write(SocketChannel to, String text) throws IOException {
        TestBytes.writeFully(to, TestBytes.text(text));
    }

    /** Waits until bytes can be read, and reads them into a buffer of more room, without blocking. */
    private static int readSome(SocketChannel from, ByteBuffer into) throws Exception {
        int[] count = {0};
        Until.holds("bytes arrive", () -> {
            count[0] = from.read(into);
            return count[0] != 0;
        });
        return count[0];
    }

    // ReadableByteChannel.read: bytes go to the position, which moves; the limit does not change
    @ParameterizedTest
    @EnumSource
    void bytesAreReadIntoEveryKindOfBuffer(BufferKind kind) throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), ByteBuffer.wrap(TestBytes.sequence(0, 1000)));
        ByteBuffer into = kind.allocate(1000);
        int start = into.position();
        int end = into.limit();
        int total = 0;
        while (into.hasRemaining()) {
            total += pair.client().read(into);
            assertEquals(start + total, into.position());
        }
        assertEquals(end, into.limit());
        byte[] found = new byte[1000];
        into.get(start, found);
        assertArrayEquals(TestBytes.sequence(0, 1000), found);
    }

    // ReadableByteChannel.read: bytes outside of the remaining ones are not changed
    @ParameterizedTest
    @EnumSource
    void bytesOutsideOfTheRemainingOnesAreNotChanged(BufferKind kind) throws Exception {
        Pair pair = pair();
        write(pair.server(), "abcdefgh");
        ByteBuffer into = kind.allocate(8);
        int start = into.position();
        into.position(start + 2).limit(start + 6);
        readSome(pair.client(), into);
        into.limit(start + 8);
        assertEquals(0, into.get(start));
        assertEquals(0, into.get(start + 1));
        assertEquals('a', into.get(start + 2));
        assertEquals(0, into.get(start + 6));
        assertEquals(0, into.get(start + 7));
    }

    @Test
    void aReadTakesNoMoreBytesThanTheBufferHasRoomFor() throws Exception {
        Pair pair = pair();
        write(pair.server(), "abcdef");
        ByteBuffer into = ByteBuffer.allocate(100).limit(2);
        assertEquals(2, pair.client().read(into) + (into.hasRemaining() ? pair.client().read(into) : 0));
        assertEquals("ab", TestBytes.textBefore(into));
        assertEquals("cdef", TestBytes.readText(pair.client(), 4));
    }

    // ReadableByteChannel.read: a socket channel in blocking mode reads at least one byte
    @Test
    void aBlockingReadReturnsWithoutFillingTheBuffer() throws Exception {
        Pair pair = pair();
        write(pair.server(), "abc");
        ByteBuffer into = ByteBuffer.allocateDirect(1 << 20);
        int count = pair.client().read(into);
        assertTrue(count >= 1 && count <= 3);
        assertEquals(count, into.position());
    }

    @ParameterizedTest
    @EnumSource
    void aBlockingReadBlocksUntilBytesArrive(ThreadKind kind) throws Exception {
        Pair pair = pair();
        ByteBuffer into = ByteBuffer.allocate(10);
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> pair.client().read(into))
                .awaitBlockedIn(pair.client(), "read");
        write(pair.server(), "x");
        assertEquals(1, read.result());
        assertEquals('x', into.get(0));
    }

    @Test
    void oneBlockedReadAfterTheOtherIsWokenByItsByte() throws Exception {
        Pair pair = pair();
        for (int i = 0; i < 50; i++) {
            ByteBuffer into = ByteBuffer.allocate(1);
            BlockingCall<Integer> read = BlockingCall.start(() -> pair.client().read(into))
                    .awaitBlockedIn(pair.client(), "read");
            pair.server().write(ByteBuffer.wrap(new byte[] {(byte) i}));
            assertEquals(1, read.result());
            assertEquals(i, into.get(0));
        }
    }

    // ReadableByteChannel.read: a socket channel in non-blocking mode reads what is immediately available
    @Test
    void aNonBlockingReadReturnsZeroWithoutData() throws Exception {
        Pair pair = pair().nonBlocking();
        ByteBuffer into = ByteBuffer.allocate(10);
        assertEquals(0, pair.client().read(into));
        assertEquals(0, into.position());
    }

    @Test
    void aNonBlockingReadReturnsWhatHasArrivedAndThenZero() throws Exception {
        Pair pair = pair().nonBlocking();
        write(pair.server(), "now");
        ByteBuffer into = ByteBuffer.allocate(10);
        Until.holds("three bytes arrive", () -> pair.client().read(into) >= 0 && into.position() == 3);
        assertEquals("now", TestBytes.textBefore(into));
        assertEquals(0, pair.client().read(into));
    }

    @Test
    void theBytesOfOneWriteAreReadByManyReads() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), ByteBuffer.wrap(TestBytes.sequence(0, 300)));
        for (int i = 0; i < 300; i++) {
            ByteBuffer into = ByteBuffer.allocate(1);
            assertEquals(1, pair.client().read(into));
            assertEquals(TestBytes.at(i), into.get(0));
        }
    }

    @Test
    void theBytesOfManyWritesAreReadInTheirOrder() throws Exception {
        Pair pair = pair();
        for (int i = 0; i < 300; i++) {
            pair.server().write(ByteBuffer.wrap(TestBytes.sequence(i, 1)));
        }
        TestBytes.readSequence(pair.client(), 300);
    }

    /** The Javadoc says that at most as many bytes are read as remain in the buffer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadIntoAFullBufferReturnsZeroAtOnce(boolean blocking) throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(blocking);
        assertEquals(0, pair.client().read(ByteBuffer.allocate(0)));
        assertEquals(0, pair.client().read(ByteBuffer.allocateDirect(0)));
        write(pair.server(), "kept");
        assertEquals(0, pair.client().read(ByteBuffer.allocate(0)));
        assertEquals("kept", TestBytes.readText(pair.client(), 4));
    }

    @Test
    void aReadIntoAFullBufferReturnsZeroAlsoAtTheEndOfTheStream() throws Exception {
        Pair pair = pair();
        pair.server().close();
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
        assertEquals(0, pair.client().read(ByteBuffer.allocate(0)));
    }

    // ReadableByteChannel.read: IllegalArgumentException if the buffer is read-only
    @ParameterizedTest
    @EnumSource
    void aReadOnlyBufferIsRefusedAndTheBytesCanBeReadThen(BufferKind kind) throws Exception {
        Pair pair = pair();
        write(pair.server(), "data");
        ByteBuffer readOnly = kind.allocate(4).asReadOnlyBuffer();
        int position = readOnly.position();
        assertThrows(IllegalArgumentException.class, () -> pair.client().read(readOnly));
        assertEquals(position, readOnly.position());
        assertTrue(pair.client().isOpen());
        assertEquals("data", TestBytes.readText(pair.client(), 4));
    }

    @Test
    void theBufferMustNotBeNull() throws Exception {
        Pair pair = pair();
        assertThrows(NullPointerException.class, () -> pair.client().read((ByteBuffer) null));
        assertTrue(pair.client().isOpen());
    }

    // SocketChannel.read: NotYetConnectedException
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadBeforeConnectThrowsAndTheChannelStaysOpen(boolean blocking) throws IOException {
        SocketChannel channel = channel();
        channel.configureBlocking(blocking);
        assertThrows(NotYetConnectedException.class, () -> channel.read(ByteBuffer.allocate(1)));
        assertTrue(channel.isOpen());
    }

    // ReadableByteChannel.read: ClosedChannelException
    @Test
    void aReadOfAClosedChannelThrows() throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.read(ByteBuffer.allocate(1)));
        assertThrows(ClosedChannelException.class, () -> channel.read(ByteBuffer.allocate(0)));
    }

    // ReadableByteChannel.read: -1 if the channel has reached the end of the stream
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyReadAtTheEndOfTheStreamReturnsMinusOne(boolean blocking) throws Exception {
        Pair pair = pair();
        write(pair.server(), "end");
        pair.server().close();
        assertEquals("end", TestBytes.readText(pair.client(), 3));
        pair.client().configureBlocking(blocking);
        ByteBuffer into = ByteBuffer.allocate(10).position(4);
        assertEquals(-1, readSome(pair.client(), into));
        assertEquals(-1, pair.client().read(into));
        assertEquals(4, into.position());
        assertTrue(pair.client().isOpen());
        assertTrue(pair.client().isConnected());
    }

    // SocketChannel: supports concurrent reading and writing
    @ParameterizedTest
    @EnumSource
    void aChannelIsWrittenToWhileAThreadBlocksInItsRead(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> pair.client().read(ByteBuffer.allocate(1)))
                .awaitBlockedIn(pair.client(), "read");
        write(pair.client(), "request");
        assertEquals("request", TestBytes.readText(pair.server(), 7));
        assertTrue(read.isRunning());
        write(pair.server(), "r");
        assertEquals(1, read.result());
    }

    // SocketChannel: at most one thread may be reading at any given time
    @Test
    void aSecondReaderBlocksUntilTheFirstHasReturned() throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> first = BlockingCall.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                .awaitBlockedIn(pair.client(), "read");
        BlockingCall<Integer> second = BlockingCall.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                .awaitBlockedIn(pair.client(), "read");
        write(pair.server(), "ab");
        assertEquals(1, first.result());
        assertEquals(1, second.result());
    }

    @Test
    void bytesThatWereReadDoNotChangeWhenMoreArrive() throws Exception {
        Pair pair = pair();
        ByteBuffer into = ByteBuffer.allocateDirect(1000);
        TestBytes.writeFully(pair.server(), ByteBuffer.wrap(TestBytes.sequence(0, 1000)));
        while (into.hasRemaining()) {
            pair.client().read(into);
        }
        TestBytes.writeFully(pair.server(), ByteBuffer.wrap(new byte[100_000]));
        pair.server().close();
        assertFalse(into.hasRemaining());
        TestBytes.assertSequence(0, into);
    }
}
