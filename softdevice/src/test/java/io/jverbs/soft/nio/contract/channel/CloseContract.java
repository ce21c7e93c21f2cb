package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.BlockingOperation;
import io.jverbs.soft.nio.contract.BlockingOperation.Prepared;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Channel.close, also while other threads block in operations of the channel. */
abstract class CloseContract extends ChannelContract {
    /** More bytes than the socket buffers of two sides hold. */
    private static final int MANY = 16 << 20;

    CloseContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static BlockingCall<Integer> blockInRead(ThreadKind kind, SocketChannel channel) throws Exception {
        return BlockingCall.start(kind, () -> channel.read(ByteBuffer.allocate(1))).awaitBlockedIn(channel, "read");
    }

    // Channel.isOpen, SocketChannel.isConnected
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClosedChannelIsNeitherOpenNorConnected(boolean blocking) throws Exception {
        SocketChannel channel = pair().client();
        channel.configureBlocking(blocking);
        channel.close();
        assertFalse(channel.isOpen());
        assertFalse(channel.isConnected());
        assertFalse(channel.isConnectionPending());
    }

    // StandardSocketOptions.SO_LINGER: 0 resets the connection in TCP
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCloseWithALingerTimeOfZeroFailsTheReadsOfThePeer(boolean blocking) throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> read = blockInRead(ThreadKind.PLATFORM, pair.client());
        pair.server().configureBlocking(blocking);
        pair.server().setOption(StandardSocketOptions.SO_LINGER, 0).close();
        IOException failure = read.failure(IOException.class);
        assertTrue(failure.getMessage().startsWith("Connection reset"), failure::toString);
        assertTrue(pair.client().isOpen());
    }

    @Test
    void aClosedListenerIsNotOpen() throws IOException {
        ServerSocketChannel listener = listener();
        listener.close();
        assertFalse(listener.isOpen());
    }

    // Channel.close: if already closed, no effect
    @Test
    void aSecondCloseHasNoEffect() throws Exception {
        Pair pair = pair();
        ServerSocketChannel listener = listener();
        for (int i = 0; i < 2; i++) {
            pair.client().close();
            listener.close();
        }
        assertFalse(pair.client().isOpen());
        assertFalse(listener.isOpen());
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void channelsThatAreNotConnectedOrBoundAreClosed() throws IOException {
        SocketChannel channel = channel();
        channel.close();
        assertFalse(channel.isOpen());
        ServerSocketChannel listener = unboundListener();
        listener.close();
        assertFalse(listener.isOpen());
    }

    @Test
    void aBoundChannelIsClosedAndItsAddressCanBeBoundAgain() throws IOException {
        SocketChannel channel = channel().bind(anyPort());
        var address = channel.getLocalAddress();
        channel.close();
        assertEquals(address, channel().bind(address).getLocalAddress());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePeerOfAClosedChannelReadsTheEndOfTheStream(boolean blocking) throws Exception {
        Pair pair = pair();
        pair.client().configureBlocking(blocking);
        pair.client().close();
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource
    void aBlockedReadOfThePeerReturnsMinusOne(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> read = blockInRead(kind, pair.server());
        pair.client().close();
        assertEquals(-1, read.result());
    }

    /** The Javadoc does not say that the change of the mode waits. */
    @Test
    void aCloseEndsAnAcceptThatAChangeOfTheModeWaitsFor() throws Exception {
        ServerSocketChannel listener = listener();
        BlockingCall<SocketChannel> accept = BlockingCall.start(listener::accept).awaitBlockedIn(listener, "accept");
        assertCloseEnds(accept, listener);
    }

    @Test
    void aCloseEndsAConnectThatAChangeOfTheModeWaitsFor() throws Exception {
        SocketAddress silent = silentListener();
        SocketChannel channel = channel();
        BlockingCall<Boolean> connect = BlockingCall.start(() -> channel.connect(silent))
                .awaitBlockedIn(channel, "connect");
        assertCloseEnds(connect, channel);
    }

    private static void assertCloseEnds(BlockingCall<?> operation, SelectableChannel of) throws Exception {
        BlockingCall<?> change = BlockingCall.start(() -> of.configureBlocking(false))
                .awaitBlockedIn(of, "configureBlocking");
        BlockingCall.start(() -> {
            of.close();
            return null;
        }).result();
        operation.failure(AsynchronousCloseException.class);
        change.failure(ClosedChannelException.class);
    }

    // InterruptibleChannel.close: a thread that blocks receives AsynchronousCloseException
    @ParameterizedTest(name = "{0} on a {1} thread")
    @MethodSource("io.jverbs.soft.nio.contract.BlockingOperation#onEachKindOfThread")
    void aBlockedOperationThrowsWhenTheChannelIsClosed(BlockingOperation operation, ThreadKind kind)
            throws Exception {
        Prepared prepared = operation.prepare(this);
        BlockingCall<Object> blocked = prepared.block(kind);
        prepared.channel().close();
        AsynchronousCloseException failure = blocked.failure(AsynchronousCloseException.class);
        assertFalse(failure instanceof ClosedByInterruptException);
        assertFalse(prepared.channel().isOpen());
        assertFalse(blocked.isInterruptedAfterwards());
    }

    /** The JDK's channels return how much they have written, and throw if that is nothing. */
    @ParameterizedTest
    @EnumSource
    void aBlockedWriteOfManyBytesEndsWhenTheChannelIsClosed(ThreadKind kind) throws Exception {
        SocketChannel channel = pair().client();
        ByteBuffer many = ByteBuffer.allocate(MANY);
        BlockingCall<Integer> write = BlockingCall.start(kind, () -> {
            int written;
            do {
                written = channel.write(many);
            } while (channel.isOpen() && many.hasRemaining());
            return written;
        }).awaitBlockedIn(channel, "write");
        channel.close();
        int written;
        try {
            written = write.result();
        } catch (AsynchronousCloseException e) {
            written = 0;
        }
        assertTrue(written >= 0 && many.hasRemaining());
    }

    @ParameterizedTest(name = "{0} on a {1} thread")
    @MethodSource("io.jverbs.soft.nio.contract.BlockingOperation#onEachKindOfThread")
    void anOperationOfAClosedChannelThrowsAtOnce(BlockingOperation operation, ThreadKind kind) throws Exception {
        Prepared prepared = operation.prepare(this);
        prepared.channel().close();
        ClosedChannelException failure = BlockingCall.start(kind, prepared.call())
                .failure(ClosedChannelException.class);
        assertFalse(failure instanceof AsynchronousCloseException);
    }

    @ParameterizedTest
    @EnumSource
    void aBlockedReadAndABlockedWriteOfOneChannelBothThrow(ThreadKind kind) throws Exception {
        Prepared write = BlockingOperation.WRITE.prepare(this);
        BlockingCall<Object> writing = write.block(kind);
        BlockingCall<Integer> reading = blockInRead(kind, (SocketChannel) write.channel());
        write.channel().close();
        writing.failure(AsynchronousCloseException.class);
        reading.failure(AsynchronousCloseException.class);
    }

    @ParameterizedTest
    @EnumSource
    void everyThreadThatWaitsForItsTurnToReadThrows(ThreadKind kind) throws Exception {
        SocketChannel channel = pair().client();
        List<BlockingCall<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reads.add(blockInRead(kind, channel));
        }
        channel.close();
        for (BlockingCall<Integer> read : reads) {
            read.failure(ClosedChannelException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyThreadThatWaitsForItsTurnToAcceptThrows(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        List<BlockingCall<SocketChannel>> accepts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            accepts.add(BlockingCall.start(kind, listener::accept).awaitBlockedIn(listener, "accept"));
        }
        listener.close();
        for (BlockingCall<SocketChannel> accept : accepts) {
            accept.failure(ClosedChannelException.class);
        }
    }

    @Test
    void aCloseOfOneChannelDoesNotWakeAReaderOfAnother() throws Exception {
        SocketChannel closed = pair().client();
        Pair other = pair();
        BlockingCall<Integer> first = blockInRead(ThreadKind.PLATFORM, closed);
        BlockingCall<Integer> second = blockInRead(ThreadKind.PLATFORM, other.client());
        closed.close();
        first.failure(AsynchronousCloseException.class);
        second.awaitBlockedIn(other.client(), "read");
        TestBytes.writeFully(other.server(), TestBytes.text("x"));
        assertEquals(1, second.result());
    }

    // InterruptibleChannel.close: a thread that closes while another closes blocks until that is complete
    @Test
    void fourThreadsCloseAChannelAtTheSameTime() throws Exception {
        Pair pair = pair();
        BlockingCall<Integer> read = blockInRead(ThreadKind.PLATFORM, pair.client());
        List<BlockingCall<Boolean>> closes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closes.add(BlockingCall.start(() -> {
                pair.client().close();
                return pair.client().isOpen();
            }));
        }
        for (BlockingCall<Boolean> close : closes) {
            assertFalse(close.result());
        }
        read.failure(AsynchronousCloseException.class);
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void aThousandChannelsAreOpenedAndClosedOneAfterTheOther() throws Exception {
        for (int i = 0; i < 1000; i++) {
            SocketChannel channel = provider().openSocketChannel();
            channel.close();
            assertFalse(channel.isOpen());
        }
        assertTrue(pair().client().isConnected());
    }

    // SelectableChannel.configureBlocking: ClosedChannelException
    @Test
    void theModeOfAClosedChannelCannotBeChanged() throws Exception {
        SocketChannel channel = pair().client();
        ServerSocketChannel listener = listener();
        channel.close();
        listener.close();
        assertThrows(ClosedChannelException.class, () -> channel.configureBlocking(false));
        assertThrows(ClosedChannelException.class, () -> channel.configureBlocking(true));
        assertThrows(ClosedChannelException.class, () -> listener.configureBlocking(false));
    }

    // SelectableChannel.configureBlocking, isBlocking
    @Test
    void theModeOfAChannelIsChangedToAndFro() throws Exception {
        Pair pair = pair();
        assertTrue(pair.client().isBlocking());
        for (int i = 0; i < 3; i++) {
            assertEquals(pair.client(), pair.client().configureBlocking(false));
            assertFalse(pair.client().isBlocking());
            assertEquals(0, pair.client().read(ByteBuffer.allocate(1)));
            pair.client().configureBlocking(true);
            assertTrue(pair.client().isBlocking());
            BlockingCall<Integer> read = blockInRead(ThreadKind.PLATFORM, pair.client());
            TestBytes.writeFully(pair.server(), TestBytes.text("x"));
            assertEquals(1, read.result());
        }
    }
}
