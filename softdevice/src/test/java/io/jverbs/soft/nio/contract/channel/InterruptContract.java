package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.BlockingOperation;
import io.jverbs.soft.nio.contract.BlockingOperation.Prepared;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Interrupts of threads before and during operations of a channel: InterruptibleChannel. */
abstract class InterruptContract extends ChannelContract {
    InterruptContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static BlockingCall<Integer> blockInRead(ThreadKind kind, SocketChannel channel) throws Exception {
        return BlockingCall.start(kind, () -> channel.read(ByteBuffer.allocate(1))).awaitBlockedIn(channel, "read");
    }

    // InterruptibleChannel: the channel is closed, the thread receives the exception, its interrupt status is set
    @ParameterizedTest(name = "{0} on a {1} thread")
    @MethodSource("io.jverbs.soft.nio.contract.BlockingOperation#onEachKindOfThread")
    void anInterruptOfABlockedOperationClosesTheChannel(BlockingOperation operation, ThreadKind kind)
            throws Exception {
        Prepared prepared = operation.prepare(this);
        BlockingCall<Object> blocked = prepared.block(kind);
        blocked.interrupt();
        blocked.failure(ClosedByInterruptException.class);
        assertTrue(blocked.isInterruptedAfterwards());
        assertFalse(prepared.channel().isOpen());
    }

    // InterruptibleChannel: the same if the interrupt status is set when the operation is called
    @ParameterizedTest(name = "{0} on a {1} thread")
    @MethodSource("io.jverbs.soft.nio.contract.BlockingOperation#onEachKindOfThread")
    void anOperationOfAnInterruptedThreadClosesTheChannel(BlockingOperation operation, ThreadKind kind)
            throws Exception {
        Prepared prepared = operation.prepare(this);
        BlockingCall<Object> call = BlockingCall.startInterrupted(kind, prepared.call());
        call.failure(ClosedByInterruptException.class);
        assertTrue(call.isInterruptedAfterwards());
        assertFalse(prepared.channel().isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void aReadOfAnInterruptedThreadThrowsAlthoughBytesHaveArrived(ThreadKind kind) throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("ab"));
        assertEquals("a", TestBytes.readText(pair.client(), 1));
        BlockingCall.startInterrupted(kind, () -> pair.client().read(ByteBuffer.allocate(1)))
                .failure(ClosedByInterruptException.class);
        assertFalse(pair.client().isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void aConnectOfAnInterruptedThreadThrowsAlthoughAListenerWaits(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel channel = channel();
        BlockingCall<Boolean> connect = BlockingCall.startInterrupted(kind,
                () -> channel.connect(addressOf(listener)));
        connect.failure(ClosedByInterruptException.class);
        assertTrue(connect.isInterruptedAfterwards());
        assertFalse(channel.isOpen());
        assertFalse(channel.isConnected());
    }

    @ParameterizedTest
    @EnumSource
    void thePeerOfAChannelThatAnInterruptHasClosedReadsTheEndOfTheStream(ThreadKind kind) throws Exception {
        Pair pair = pair();
        blockInRead(kind, pair.client()).interrupt().failure(ClosedByInterruptException.class);
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    // InterruptibleChannel: another thread that blocks in the channel receives AsynchronousCloseException
    @ParameterizedTest
    @EnumSource
    void anInterruptOfAReaderEndsABlockedWriterOfTheSameChannel(ThreadKind kind) throws Exception {
        Prepared write = BlockingOperation.WRITE.prepare(this);
        BlockingCall<Object> writing = write.block(kind);
        BlockingCall<Integer> reading = blockInRead(kind, (SocketChannel) write.channel());
        reading.interrupt().failure(ClosedByInterruptException.class);
        AsynchronousCloseException failure = writing.failure(AsynchronousCloseException.class);
        assertFalse(failure instanceof ClosedByInterruptException);
        assertFalse(writing.isInterruptedAfterwards());
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptOfOneReaderDoesNotCloseTheChannelOfAnother(ThreadKind kind) throws Exception {
        Pair interrupted = pair();
        Pair other = pair();
        BlockingCall<Integer> first = blockInRead(kind, interrupted.client());
        BlockingCall<Integer> second = blockInRead(kind, other.client());
        first.interrupt().failure(ClosedByInterruptException.class);
        assertTrue(other.client().isOpen());
        TestBytes.writeFully(other.server(), TestBytes.text("x"));
        assertEquals(1, second.result());
    }

    /** An operation in non-blocking mode is not interruptible. */
    @ParameterizedTest
    @EnumSource
    void operationsInNonBlockingModeDoNotNoticeAnInterrupt(ThreadKind kind) throws Exception {
        Pair pair = pair().nonBlocking();
        ServerSocketChannel listener = nonBlockingListener();
        BlockingCall<Object> calls = BlockingCall.startInterrupted(kind, () -> {
            assertEquals(0, pair.client().read(ByteBuffer.allocate(1)));
            assertEquals(1, pair.client().write(TestBytes.text("x")));
            assertNull(listener.accept());
            return null;
        });
        calls.result();
        assertTrue(calls.isInterruptedAfterwards());
        assertTrue(pair.client().isOpen());
        assertTrue(listener.isOpen());
        assertEquals("x", TestBytes.readText(pair.server(), 1));
    }

    @ParameterizedTest
    @EnumSource
    void anOperationOfAClosedChannelThrowsAndLeavesTheInterruptStatus(ThreadKind kind) throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        BlockingCall<Integer> read = BlockingCall.startInterrupted(kind, () -> channel.read(ByteBuffer.allocate(1)));
        read.failure(ClosedChannelException.class);
        assertTrue(read.isInterruptedAfterwards());
    }

    /** An interrupt after an operation has returned concerns no channel. */
    @ParameterizedTest
    @EnumSource
    void anInterruptAfterAReadLeavesTheChannelOpen(ThreadKind kind) throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("ab"));
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> {
            int count = pair.client().read(ByteBuffer.allocate(1));
            Thread.currentThread().interrupt();
            return count;
        });
        assertEquals(1, read.result());
        assertTrue(read.isInterruptedAfterwards());
        assertTrue(pair.client().isOpen());
        assertEquals("b", TestBytes.readText(pair.client(), 1));
    }
}
