package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.BlockingOperation;
import io.jverbs.soft.nio.contract.BlockingOperation.Prepared;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SocketChannel.shutdownInput and shutdownOutput, and the end of the stream. */
abstract class HalfCloseContract extends ChannelContract {
    private static final int LENGTH = 1 << 20;

    HalfCloseContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static int readByte(SocketChannel from) throws IOException {
        return from.read(ByteBuffer.allocate(1));
    }

    // SocketChannel.shutdownOutput
    @ParameterizedTest
    @EnumSource
    void thePeerReadsAllDataAndThenTheEndOfTheStream(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Long> read = BlockingCall.start(kind, () -> TestBytes.readSequence(pair.server()));
        TestBytes.writeSequence(pair.client(), LENGTH);
        assertSame(pair.client(), pair.client().shutdownOutput());
        assertEquals(LENGTH, read.result());
    }

    @Test
    void whatANonBlockingChannelHasWrittenArrivesBeforeTheEndOfTheStream() throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(false);
        long written = TestBytes.fill(pair.client(), 0);
        pair.client().shutdownOutput();
        assertEquals(written, TestBytes.readSequence(pair.server()));
    }

    @ParameterizedTest
    @EnumSource
    void aBlockedReadReturnsMinusOneWhenThePeerShutsItsOutputDown(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> readByte(pair.client()))
                .awaitBlockedIn(pair.client(), "read");
        pair.server().shutdownOutput();
        assertEquals(-1, read.result());
    }

    @Test
    void aChannelReadsOnAfterItsOutputIsShutDown() throws Exception {
        Pair pair = pair();
        pair.client().shutdownOutput();
        assertEquals(-1, readByte(pair.server()));
        TestBytes.writeFully(pair.server(), TestBytes.text("response"));
        assertEquals("response", TestBytes.readText(pair.client(), 8));
        assertTrue(pair.client().isOpen());
        assertTrue(pair.client().isConnected());
    }

    @Test
    void thePeerWritesALargeResponseAfterTheEndOfTheRequest() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.client(), TestBytes.text("request"));
        pair.client().shutdownOutput();
        assertEquals("request", TestBytes.readText(pair.server(), 7));
        assertEquals(-1, readByte(pair.server()));
        BlockingCall<Object> write = BlockingCall.start(() -> {
            TestBytes.writeSequence(pair.server(), 16 * LENGTH);
            return pair.server().shutdownOutput();
        });
        assertEquals(16 * LENGTH, TestBytes.readSequence(pair.client()));
        write.result();
    }

    // SocketChannel.shutdownOutput: further writes throw ClosedChannelException
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteAfterTheOutputIsShutDownThrows(boolean blocking) throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(blocking);
        pair.client().shutdownOutput();
        assertThrows(ClosedChannelException.class, () -> pair.client().write(TestBytes.text("a")));
        assertThrows(ClosedChannelException.class,
                () -> pair.client().write(new ByteBuffer[] {TestBytes.text("a"), TestBytes.text("b")}));
        assertTrue(pair.client().isOpen());
    }

    // SocketChannel: a thread that blocks in a write when the output is shut down gets AsynchronousCloseException
    @ParameterizedTest
    @EnumSource
    void aBlockedWriteThrowsWhenTheOutputIsShutDown(ThreadKind kind) throws Exception {
        Prepared write = BlockingOperation.WRITE.prepare(this);
        BlockingCall<Object> blocked = write.block(kind);
        ((SocketChannel) write.channel()).shutdownOutput();
        blocked.failure(AsynchronousCloseException.class);
        assertTrue(write.channel().isOpen());
    }

    // SocketChannel.shutdownOutput: if already shut down, no effect
    @Test
    void aSecondShutdownHasNoEffect() throws Exception {
        SocketChannel channel = pair().client();
        channel.shutdownOutput();
        assertSame(channel, channel.shutdownOutput());
        channel.shutdownInput();
        assertSame(channel, channel.shutdownInput());
        assertTrue(channel.isOpen());
    }

    // SocketChannel.shutdownInput: further reads return -1
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadAfterTheInputIsShutDownReturnsMinusOne(boolean blocking) throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(blocking);
        assertSame(pair.client(), pair.client().shutdownInput());
        assertEquals(-1, readByte(pair.client()));
        assertEquals(-1, pair.client().read(new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(1)}));
        assertTrue(pair.client().isOpen());
    }

    @Test
    void dataThatHasArrivedIsNotReadAfterTheInputIsShutDown() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("ab"));
        assertEquals("a", TestBytes.readText(pair.client(), 1));
        pair.client().shutdownInput();
        assertEquals(-1, readByte(pair.client()));
    }

    // SocketChannel: a thread that blocks in a read when the input is shut down reads -1
    @ParameterizedTest
    @EnumSource
    void aBlockedReadReturnsMinusOneWhenTheInputIsShutDown(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> readByte(pair.client()))
                .awaitBlockedIn(pair.client(), "read");
        pair.client().shutdownInput();
        assertEquals(-1, read.result());
    }

    @Test
    void aChannelWritesOnAfterItsInputIsShutDown() throws Exception {
        Pair pair = pair();
        pair.client().shutdownInput();
        TestBytes.writeFully(pair.client(), TestBytes.text("on"));
        assertEquals("on", TestBytes.readText(pair.server(), 2));
    }

    @Test
    void aChannelWithBothDirectionsShutDownStaysOpen() throws Exception {
        Pair pair = pair();
        pair.client().shutdownInput().shutdownOutput();
        assertTrue(pair.client().isOpen());
        assertTrue(pair.client().isConnected());
        assertEquals(-1, readByte(pair.client()));
        assertThrows(ClosedChannelException.class, () -> pair.client().write(TestBytes.text("a")));
        assertEquals(-1, readByte(pair.server()));
    }

    @Test
    void bothSidesReadTheEndOfTheStreamWhenBothShutTheirOutputDown() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.client(), TestBytes.text("a"));
        TestBytes.writeFully(pair.server(), TestBytes.text("b"));
        pair.client().shutdownOutput();
        pair.server().shutdownOutput();
        assertEquals("b", TestBytes.readText(pair.client(), 1));
        assertEquals("a", TestBytes.readText(pair.server(), 1));
        assertEquals(-1, readByte(pair.client()));
        assertEquals(-1, readByte(pair.server()));
    }

    // SocketChannel.shutdownInput, shutdownOutput: NotYetConnectedException
    @Test
    void anUnconnectedChannelThrowsAndStaysOpen() throws IOException {
        SocketChannel channel = channel();
        assertThrows(NotYetConnectedException.class, channel::shutdownInput);
        assertThrows(NotYetConnectedException.class, channel::shutdownOutput);
        assertTrue(channel.isOpen());
    }

    // SocketChannel.shutdownInput, shutdownOutput: ClosedChannelException
    @Test
    void aClosedChannelThrows() throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        assertThrows(ClosedChannelException.class, channel::shutdownInput);
        assertThrows(ClosedChannelException.class, channel::shutdownOutput);
    }

    // SelectionKey.OP_READ: has reached end-of-stream
    @Test
    void aKeyIsReadableAtTheEndOfTheStreamEachTime() throws Exception {
        Pair pair = pair().nonBlocking();
        Selector selector = selector();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        pair.server().shutdownOutput();
        for (int i = 0; i < 3; i++) {
            assertEquals(1, selector.select());
            assertTrue(key.isReadable());
            assertEquals(-1, readByte(pair.client()));
            selector.selectedKeys().clear();
        }
    }

    // SelectionKey.OP_READ: has been remotely shut down
    @Test
    void aKeyIsReadableWhenThePeerHasClosed() throws Exception {
        Pair pair = pair().nonBlocking();
        Selector selector = selector();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        pair.server().close();
        assertEquals(1, selector.select());
        assertTrue(key.isReadable());
        assertEquals(-1, readByte(pair.client()));
    }

    @Test
    void aKeyIsReadableAfterTheInputIsShutDown() throws Exception {
        Pair pair = pair().nonBlocking();
        Selector selector = selector();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        pair.client().shutdownInput();
        assertEquals(1, selector.select());
        assertTrue(key.isReadable());
        assertEquals(-1, readByte(pair.client()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAChannelHasWrittenArrivesAlthoughItIsClosedAtOnce(boolean blocking) throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(blocking);
        int written = pair.client().write(ByteBuffer.wrap(TestBytes.sequence(0, 100_000)));
        pair.client().close();
        assertEquals(written, TestBytes.readSequence(pair.server()));
    }

    @Test
    void whatFillsTheBuffersArrivesAlthoughTheChannelIsClosedAtOnce() throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(false);
        long written = TestBytes.fill(pair.client(), 0);
        pair.client().close();
        assertEquals(written, TestBytes.readSequence(pair.server()));
    }

    /** The Javadoc does not say how the peer learns that data is lost: the JDK gives -1 or an IOException. */
    @Test
    void aCloseWithUnreadDataEndsTheStreamOfThePeer() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("never read"));
        Selector selector = selector();
        pair.client().configureBlocking(false);
        pair.client().register(selector, SelectionKey.OP_READ);
        assertEquals(1, selector.select());
        selector.close();
        pair.client().close();
        int end;
        try {
            end = readByte(pair.server());
        } catch (IOException e) {
            end = -1;
        }
        assertEquals(-1, end);
        assertThrows(IOException.class, () -> Until.holds("a write fails",
                () -> pair.server().write(ByteBuffer.allocate(1000)) < 0));
    }
}
