package io.jverbs.soft.nio.contract.adaptor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The streams of SocketChannel.socket, also with a timeout. */
abstract class SocketStreamsContract extends ChannelContract {
    private static final int LARGE = 4 << 20;
    private static final int MILLIS = 30;
    private static final int LONG_MILLIS = 3_600_000;

    SocketStreamsContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // Socket.getInputStream, getOutputStream
    @Test
    void bytesAreWrittenToASocketAndReadFromOne() throws Exception {
        Pair pair = pair();
        OutputStream out = pair.client().socket().getOutputStream();
        InputStream in = pair.server().socket().getInputStream();
        out.write('a');
        out.write(bytes("-bcd-"), 1, 3);
        assertEquals('a', in.read());
        assertArrayEquals(bytes("bcd"), in.readNBytes(3));
        pair.client().socket().shutdownOutput();
        assertEquals(-1, in.read());
    }

    @ParameterizedTest
    @EnumSource
    void manyBytesAreWrittenByOneCall(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Object> write = BlockingCall.start(kind, () -> {
            pair.client().socket().getOutputStream().write(TestBytes.sequence(0, LARGE));
            return pair.client().shutdownOutput();
        });
        assertArrayEquals(TestBytes.sequence(0, LARGE), pair.server().socket().getInputStream().readAllBytes());
        write.result();
    }

    @ParameterizedTest
    @EnumSource
    void aReadBlocksUntilBytesArrive(ThreadKind kind) throws Exception {
        Pair pair = pair();
        InputStream in = pair.client().socket().getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read()).awaitBlockedIn(in, "read");
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals('x', read.result());
    }

    @ParameterizedTest
    @EnumSource
    void aThreadWritesToTheSocketWhileAnotherBlocksInARead(ThreadKind kind) throws Exception {
        Pair pair = pair();
        Socket socket = pair.client().socket();
        InputStream in = socket.getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read()).awaitBlockedIn(in, "read");
        socket.getOutputStream().write('r');
        assertEquals("r", TestBytes.readText(pair.server(), 1));
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals('x', read.result());
    }

    // Socket.setSoTimeout: SocketTimeoutException, and the socket is still valid
    @ParameterizedTest
    @EnumSource
    void aReadThrowsWhenTheTimeoutIsOverAndTheSocketStaysOpen(ThreadKind kind) throws Exception {
        Pair pair = pair();
        Socket socket = pair.client().socket();
        socket.setSoTimeout(MILLIS);
        InputStream in = socket.getInputStream();
        long start = System.nanoTime();
        BlockingCall.start(kind, () -> in.read()).failure(SocketTimeoutException.class);
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= TimeUnit.MILLISECONDS.toNanos(MILLIS), () -> elapsed + " ns");
        assertTrue(pair.client().isOpen());
        assertTrue(pair.client().isBlocking());
        socket.setSoTimeout(LONG_MILLIS);
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals('x', in.read());
    }

    @ParameterizedTest
    @EnumSource
    void bytesEndAReadWithATimeout(ThreadKind kind) throws Exception {
        Pair pair = pair();
        pair.client().socket().setSoTimeout(LONG_MILLIS);
        InputStream in = pair.client().socket().getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read(new byte[10]))
                .awaitBlockedIn(in, "read");
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals(1, read.result());
    }

    @Test
    void theEndOfTheStreamEndsAReadWithATimeout() throws Exception {
        Pair pair = pair();
        pair.client().socket().setSoTimeout(LONG_MILLIS);
        InputStream in = pair.client().socket().getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(() -> in.read()).awaitBlockedIn(in, "read");
        pair.server().close();
        assertEquals(-1, read.result());
    }

    // SocketChannel.socket: the timeout concerns the streams, not the reads of the channel
    @Test
    void aReadOfTheChannelHasNoTimeout() throws Exception {
        Pair pair = pair();
        pair.client().socket().setSoTimeout(1);
        long start = System.nanoTime();
        BlockingCall<Integer> read = BlockingCall.start(() -> pair.client().read(ByteBuffer.allocate(1)))
                .awaitBlockedIn(pair.client(), "read");
        Until.holds("twenty times the timeout is over",
                () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(20));
        assertTrue(read.isRunning());
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals(1, read.result());
    }

    // InputStream.available
    @Test
    void theStreamTellsHowManyBytesHaveArrived() throws Exception {
        Pair pair = pair();
        InputStream in = pair.client().socket().getInputStream();
        assertEquals(0, in.available());
        TestBytes.writeFully(pair.server(), TestBytes.text("abc"));
        Until.holds("three bytes are available", () -> in.available() == 3);
        assertEquals('a', in.read());
        assertEquals(2, in.available());
    }

    @Test
    void anEmptyReadAndAnEmptyWriteDoNothing() throws Exception {
        Pair pair = pair();
        assertEquals(0, pair.client().socket().getInputStream().read(new byte[0]));
        pair.client().socket().getOutputStream().write(new byte[0]);
        pair.client().close();
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void aRangeOutsideOfTheArrayIsRefused() throws Exception {
        Pair pair = pair();
        InputStream in = pair.client().socket().getInputStream();
        OutputStream out = pair.client().socket().getOutputStream();
        for (int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 3}, {2, 1}, {1, Integer.MAX_VALUE}}) {
            assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[2], range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[2], range[0], range[1]));
        }
    }

    // Socket.getInputStream, getOutputStream: SocketException
    @Test
    void aSocketThatIsNotConnectedHasNoStreams() throws IOException {
        Socket socket = channel().socket();
        assertThrows(SocketException.class, socket::getInputStream);
        assertThrows(SocketException.class, socket::getOutputStream);
    }

    @Test
    void aClosedSocketHasNoStreams() throws Exception {
        Socket socket = pair().client().socket();
        socket.close();
        assertThrows(SocketException.class, socket::getInputStream);
        assertThrows(SocketException.class, socket::getOutputStream);
    }

    @Test
    void aSocketHasNoStreamInADirectionThatIsShutDown() throws Exception {
        Socket socket = pair().client().socket();
        socket.shutdownInput();
        assertThrows(SocketException.class, socket::getInputStream);
        socket.getOutputStream();
        socket.shutdownOutput();
        assertThrows(SocketException.class, socket::getOutputStream);
    }

    @Test
    void aStreamIsAtItsEndWhenTheInputIsShutDown() throws Exception {
        Socket socket = pair().client().socket();
        InputStream in = socket.getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(() -> in.read()).awaitBlockedIn(in, "read");
        socket.shutdownInput();
        assertEquals(-1, read.result());
        assertEquals(-1, in.read());
    }

    // Socket.getInputStream, getOutputStream: IllegalBlockingModeException
    @Test
    void theStreamsOfAChannelInNonBlockingModeThrow() throws Exception {
        Pair pair = pair();
        InputStream in = pair.client().socket().getInputStream();
        OutputStream out = pair.client().socket().getOutputStream();
        pair.client().configureBlocking(false);
        assertThrows(IllegalBlockingModeException.class, in::read);
        assertThrows(IllegalBlockingModeException.class, () -> out.write(1));
    }

    // Socket.getInputStream, getOutputStream: closing the stream closes the socket
    @Test
    void theChannelIsClosedWithAStreamOfItsSocket() throws Exception {
        Pair first = pair();
        first.client().socket().getInputStream().close();
        assertFalse(first.client().isOpen());
        Pair second = pair();
        second.client().socket().getOutputStream().close();
        assertFalse(second.client().isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void aBlockedReadThrowsWhenTheSocketIsClosed(ThreadKind kind) throws Exception {
        Socket socket = pair().client().socket();
        InputStream in = socket.getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read()).awaitBlockedIn(in, "read");
        socket.close();
        read.failure(AsynchronousCloseException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aBlockedReadWithATimeoutThrowsWhenTheSocketIsClosed(ThreadKind kind) throws Exception {
        Socket socket = pair().client().socket();
        socket.setSoTimeout(LONG_MILLIS);
        InputStream in = socket.getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read()).awaitBlockedIn(in, "read");
        socket.close();
        read.failure(AsynchronousCloseException.class);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptOfABlockedReadClosesTheSocket(ThreadKind kind) throws Exception {
        Socket socket = pair().client().socket();
        InputStream in = socket.getInputStream();
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read()).awaitBlockedIn(in, "read");
        read.interrupt().failure(ClosedByInterruptException.class);
        assertTrue(read.isInterruptedAfterwards());
        assertTrue(socket.isClosed());
    }
}
