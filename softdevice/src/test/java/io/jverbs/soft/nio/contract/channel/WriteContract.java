package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SocketChannel.write(ByteBuffer), and OP_WRITE after short writes. */
abstract class WriteContract extends ChannelContract {
    /** More than the socket buffers of two sides hold. */
    private static final int LARGE = 16 << 20;

    WriteContract(ProviderUnderTest tested) {
        super(tested);
    }

    /** Writes until the channel takes no more and is not writable either; returns the number of bytes. */
    private static long fill(SocketChannel channel, Selector selector) throws Exception {
        long[] position = {0};
        Until.holds("the channel is not writable", () -> {
            position[0] = TestBytes.fill(channel, position[0]);
            selector.selectedKeys().clear();
            return selector.selectNow() == 0;
        });
        return position[0];
    }

    private void assertWrites(ByteBuffer from, int length) throws Exception {
        Pair pair = pair();
        int start = from.position();
        int end = from.limit();
        assertEquals(length, pair.client().write(from));
        assertEquals(start + length, from.position());
        assertEquals(end, from.limit());
        TestBytes.readSequence(pair.server(), length);
    }

    // WritableByteChannel.write: bytes come from the position, which moves; the limit does not change
    @ParameterizedTest
    @EnumSource
    void bytesAreWrittenFromEveryKindOfBuffer(BufferKind kind) throws Exception {
        assertWrites(kind.of(TestBytes.sequence(0, 1000)), 1000);
    }

    @ParameterizedTest
    @EnumSource
    void bytesAreWrittenFromEveryKindOfReadOnlyBuffer(BufferKind kind) throws Exception {
        assertWrites(kind.of(TestBytes.sequence(0, 1000)).asReadOnlyBuffer(), 1000);
    }

    @ParameterizedTest
    @EnumSource
    void aWriteDoesNotChangeTheBytesOfTheBuffer(BufferKind kind) throws Exception {
        Pair pair = pair();
        ByteBuffer from = kind.of(TestBytes.sequence(0, 500));
        int start = from.position();
        pair.client().write(from);
        for (int i = 0; i < 500; i++) {
            assertEquals(TestBytes.at(i), from.get(start + i));
        }
    }

    @Test
    void onlyTheRemainingBytesAreWritten() throws Exception {
        Pair pair = pair();
        assertEquals(2, pair.client().write(TestBytes.text("abcdef").position(1).limit(3)));
        assertEquals(1, pair.client().write(TestBytes.text("!")));
        assertEquals("bc!", TestBytes.readText(pair.server(), 3));
    }

    /** A buffer may be used again as soon as the write has returned. */
    @ParameterizedTest
    @EnumSource
    void aChangeOfTheBufferAfterAWriteDoesNotChangeTheBytesThatArrive(BufferKind kind) throws Exception {
        Pair pair = pair();
        ByteBuffer from = kind.allocate(1000);
        int start = from.position();
        for (int i = 0; i < 20; i++) {
            from.put(start, TestBytes.sequence(1000 * i, 1000)).position(start);
            TestBytes.writeFully(pair.client(), from);
        }
        from.put(start, new byte[1000]);
        TestBytes.readSequence(pair.server(), 20_000);
    }

    // WritableByteChannel.write: at most as many bytes are written as remain in the buffer
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteOfAnEmptyBufferReturnsZeroAndWritesNothing(boolean blocking) throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(blocking);
        assertEquals(0, pair.client().write(ByteBuffer.allocate(0)));
        assertEquals(0, pair.client().write(ByteBuffer.allocateDirect(0)));
        assertEquals(4, pair.client().write(TestBytes.text("next")));
        assertEquals("next", TestBytes.readText(pair.server(), 4));
    }

    @Test
    void theBufferMustNotBeNull() throws Exception {
        Pair pair = pair();
        assertThrows(NullPointerException.class, () -> pair.client().write((ByteBuffer) null));
        assertTrue(pair.client().isOpen());
    }

    // SocketChannel.write: NotYetConnectedException
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteBeforeConnectThrowsAndTheChannelStaysOpen(boolean blocking) throws IOException {
        SocketChannel channel = channel();
        channel.configureBlocking(blocking);
        ByteBuffer from = TestBytes.text("a");
        assertThrows(NotYetConnectedException.class, () -> channel.write(from));
        assertEquals(0, from.position());
        assertTrue(channel.isOpen());
    }

    // WritableByteChannel.write: ClosedChannelException
    @Test
    void aWriteToAClosedChannelThrows() throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        ByteBuffer from = TestBytes.text("a");
        assertThrows(ClosedChannelException.class, () -> channel.write(from));
        assertThrows(ClosedChannelException.class, () -> channel.write(ByteBuffer.allocate(0)));
        assertEquals(0, from.position());
    }

    // WritableByteChannel.write: in blocking mode, returns after all bytes are written
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBlockingWriteReturnsWhenAllBytesAreWritten(boolean direct) throws Exception {
        Pair pair = pair();
        ByteBuffer large = (direct ? BufferKind.DIRECT : BufferKind.HEAP).of(TestBytes.sequence(0, LARGE));
        BlockingCall<Integer> write = BlockingCall.start(() -> pair.client().write(large))
                .awaitBlockedIn(pair.client(), "write");
        TestBytes.readSequence(pair.server(), LARGE);
        assertEquals(LARGE, write.result());
        assertEquals(LARGE, large.position());
    }

    /** The JDK's channels may write a part of the bytes on a virtual thread, without blocking. */
    @Test
    void blockingWritesOfAVirtualThreadBlockUntilThePeerReads() throws Exception {
        Pair pair = pair();
        BlockingCall<Object> write = BlockingCall.start(ThreadKind.VIRTUAL, () -> {
            TestBytes.writeFully(pair.client(), ByteBuffer.wrap(TestBytes.sequence(0, LARGE)));
            return null;
        }).awaitBlockedIn(pair.client(), "write");
        TestBytes.readSequence(pair.server(), LARGE);
        write.result();
    }

    // WritableByteChannel.write: in non-blocking mode, writes no more than there is room for
    @Test
    void aNonBlockingWriteReturnsZeroWhenThereIsNoRoom() throws Exception {
        Pair pair = pair().nonBlocking();
        Selector selector = selector();
        pair.client().register(selector, SelectionKey.OP_WRITE);
        assertTrue(fill(pair.client(), selector) > 0);
        ByteBuffer more = TestBytes.text("more");
        // room for some bytes is possible, as acknowledgements arrive
        Until.holds("nothing is written", () -> pair.client().write(more.clear()) == 0);
        assertEquals(0, more.position());
    }

    @Test
    void aShortWriteMovesThePositionByWhatItHasWritten() throws Exception {
        Pair pair = pair().nonBlocking();
        ByteBuffer large = ByteBuffer.wrap(TestBytes.sequence(0, LARGE));
        int count = pair.client().write(large);
        assertTrue(count > 0 && count < LARGE, () -> count + " bytes were written");
        assertEquals(count, large.position());
        assertEquals(LARGE, large.limit());
        TestBytes.readSequence(pair.server(), count);
        assertEquals(0, pair.server().read(ByteBuffer.allocate(1)));
    }

    // SelectionKey.OP_WRITE
    @Test
    void aChannelIsWritableAgainWhenThePeerHasRead() throws Exception {
        Pair pair = pair().nonBlocking();
        Selector selector = selector();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_WRITE);
        long written = fill(pair.client(), selector);
        assertEquals(0, selector.select(1));
        TestBytes.readSequence(pair.server(), written);
        assertEquals(1, selector.select());
        assertTrue(key.isWritable());
        assertEquals(4, pair.client().write(TestBytes.text("more")));
        assertEquals("more", TestBytes.readText(pair.server(), 4));
    }

    @Test
    void everyByteOfManyShortWritesArrivesOnceAndInOrder() throws Exception {
        Pair pair = pair().nonBlocking();
        BlockingCall<Long> received = BlockingCall.start(() -> {
            pair.server().configureBlocking(true);
            return TestBytes.readSequence(pair.server());
        });
        Selector selector = selector();
        pair.client().register(selector, SelectionKey.OP_WRITE);
        ByteBuffer large = ByteBuffer.wrap(TestBytes.sequence(0, LARGE));
        while (large.hasRemaining()) {
            selector.select();
            selector.selectedKeys().clear();
            pair.client().write(large);
        }
        pair.client().close();
        selector.selectNow();
        assertEquals(LARGE, received.result());
    }

    @Test
    void writesToAClosedPeerFailWithAnIoException() throws Exception {
        Pair pair = pair();
        pair.server().close();
        assertThrows(IOException.class, () -> Until.holds("a write fails",
                () -> pair.client().write(ByteBuffer.allocate(1000)) < 0));
        assertTrue(pair.client().isOpen());
        assertThrows(IOException.class, () -> pair.client().write(ByteBuffer.allocate(1)));
    }

    // SocketChannel: at most one thread may be writing at any given time
    @Test
    void aSecondWriterBlocksWhileTheFirstBlocks() throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> first = BlockingCall.start(
                () -> pair.client().write(ByteBuffer.wrap(TestBytes.sequence(0, LARGE))))
                .awaitBlockedIn(pair.client(), "write");
        BlockingCall<Integer> second = BlockingCall.start(() -> pair.client().write(TestBytes.text("last")))
                .awaitBlockedIn(pair.client(), "write");
        TestBytes.readSequence(pair.server(), LARGE);
        assertEquals("last", TestBytes.readText(pair.server(), 4));
        assertEquals(LARGE, first.result());
        assertEquals(4, second.result());
    }

    @Test
    void aChannelIsReadWhileAThreadBlocksInItsWrite() throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> write = BlockingCall.start(
                () -> pair.client().write(ByteBuffer.wrap(TestBytes.sequence(0, LARGE))))
                .awaitBlockedIn(pair.client(), "write");
        TestBytes.writeFully(pair.server(), TestBytes.text("read me"));
        assertEquals("read me", TestBytes.readText(pair.client(), 7));
        assertTrue(write.isRunning());
        TestBytes.readSequence(pair.server(), LARGE);
        assertEquals(LARGE, write.result());
    }
}
