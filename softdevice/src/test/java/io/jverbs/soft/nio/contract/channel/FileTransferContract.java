package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FileChannel.transferTo a socket channel, and transferFrom one. */
abstract class FileTransferContract extends ChannelContract {
    private static final int LENGTH = 1 << 20;

    @TempDir
    private Path folder;

    FileTransferContract(ProviderUnderTest tested) {
        super(tested);
    }

    /** Returns a file with the sequence, of a length. */
    private FileChannel file(int length) throws IOException {
        Path path = Files.write(folder.resolve("sequence"), TestBytes.sequence(0, length));
        return closeLater(FileChannel.open(path, StandardOpenOption.READ));
    }

    private FileChannel emptyFile() throws IOException {
        return closeLater(FileChannel.open(folder.resolve("target"), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    private byte[] target() throws IOException {
        return Files.readAllBytes(folder.resolve("target"));
    }

    private static void transferFully(FileChannel from, SocketChannel to) throws IOException {
        long position = 0;
        while (position < from.size()) {
            long count = from.transferTo(position, from.size() - position, to);
            assertTrue(count > 0);
            position += count;
        }
    }

    // FileChannel.transferTo
    @ParameterizedTest
    @EnumSource
    void aFileIsTransferredToAChannel(ThreadKind kind) throws Exception {
        Pair pair = pair();
        FileChannel file = file(LENGTH);
        BlockingCall<Object> transfer = BlockingCall.start(kind, () -> {
            transferFully(file, pair.client());
            return pair.client().shutdownOutput();
        });
        assertEquals(LENGTH, TestBytes.readSequence(pair.server()));
        transfer.result();
        assertEquals(0, file.position());
    }

    @Test
    void aPartOfAFileIsTransferredToAChannelBetweenTwoWrites() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.client(), TestBytes.text("<"));
        assertEquals(100, file(1000).transferTo(500, 100, pair.client()));
        TestBytes.writeFully(pair.client(), TestBytes.text(">"));
        assertEquals("<", TestBytes.readText(pair.server(), 1));
        ByteBuffer into = ByteBuffer.allocate(100);
        while (into.hasRemaining()) {
            assertTrue(pair.server().read(into) > 0);
        }
        TestBytes.assertSequence(500, into);
        assertEquals(">", TestBytes.readText(pair.server(), 1));
    }

    @Test
    void nothingIsTransferredFromTheEndOfAFileOnOrWithACountOfZero() throws Exception {
        Pair pair = pair();
        FileChannel file = file(1000);
        assertEquals(0, file.transferTo(1000, 100, pair.client()));
        assertEquals(0, file.transferTo(2000, 100, pair.client()));
        assertEquals(0, file.transferTo(0, 0, pair.client()));
        assertEquals(10, file.transferTo(990, 100, pair.client()));
    }

    @Test
    void aTransferToANonBlockingChannelStopsWhenThereIsNoRoom() throws Exception {
        Pair pair = pair().nonBlocking();
        FileChannel file = file(16 * LENGTH);
        long count = 0;
        long transferred;
        do {
            transferred = file.transferTo(count, file.size() - count, pair.client());
            count += transferred;
        } while (transferred > 0);
        assertTrue(count > 0 && count < file.size());
        TestBytes.readSequence(pair.server(), count);
        assertEquals(0, pair.server().read(ByteBuffer.allocate(1)));
    }

    // FileChannel.transferTo: ClosedChannelException
    @Test
    void aTransferToAClosedChannelThrows() throws Exception {
        SocketChannel channel = pair().client();
        FileChannel file = file(1000);
        channel.close();
        assertThrows(ClosedChannelException.class, () -> file.transferTo(0, 1000, channel));
    }

    @Test
    void aTransferToAChannelWhoseOutputIsShutDownThrows() throws Exception {
        SocketChannel channel = pair().client();
        FileChannel file = file(1000);
        channel.shutdownOutput();
        assertThrows(ClosedChannelException.class, () -> file.transferTo(0, 1000, channel));
    }

    @Test
    void aTransferToAnUnconnectedChannelThrows() throws Exception {
        SocketChannel channel = channel();
        FileChannel file = file(1000);
        assertThrows(NotYetConnectedException.class, () -> file.transferTo(0, 1000, channel));
        assertTrue(channel.isOpen());
    }

    // FileChannel.transferFrom
    @ParameterizedTest
    @EnumSource
    void aChannelIsTransferredToAFileUntilItsEnd(ThreadKind kind) throws Exception {
        Pair pair = pair();
        FileChannel file = emptyFile();
        BlockingCall<Long> transfer = BlockingCall.start(kind, () -> {
            long position = 0;
            long count;
            do {
                count = file.transferFrom(pair.server(), position, 2 * LENGTH - position);
                position += count;
            } while (count > 0);
            return position;
        });
        TestBytes.writeSequence(pair.client(), LENGTH);
        pair.client().shutdownOutput();
        assertEquals(LENGTH, transfer.result());
        assertArrayEquals(TestBytes.sequence(0, LENGTH), target());
    }

    @Test
    void aTransferToAFileTakesNoMoreBytesThanTheCount() throws Exception {
        Pair pair = pair();
        TestBytes.writeFully(pair.server(), TestBytes.text("abcdef"));
        FileChannel file = emptyFile();
        long position = 0;
        while (position < 4) {
            position += file.transferFrom(pair.client(), position, 4 - position);
        }
        assertEquals(4, position);
        assertArrayEquals("abcd".getBytes(), target());
        assertEquals("ef", TestBytes.readText(pair.client(), 2));
    }

    @Test
    void aTransferFromANonBlockingChannelWithoutDataTransfersNothing() throws Exception {
        Pair pair = pair().nonBlocking();
        assertEquals(0, emptyFile().transferFrom(pair.client(), 0, 1000));
        assertEquals(0, target().length);
    }

    @Test
    void aTransferFromTheEndOfTheStreamTransfersNothing() throws Exception {
        Pair pair = pair();
        pair.server().close();
        assertEquals(0, emptyFile().transferFrom(pair.client(), 0, 1000));
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
    }

    // FileChannel.transferFrom: ClosedChannelException
    @Test
    void aTransferFromAClosedChannelThrows() throws Exception {
        SocketChannel channel = pair().client();
        FileChannel file = emptyFile();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> file.transferFrom(channel, 0, 1000));
    }

    @Test
    void aTransferFromAnUnconnectedChannelThrows() throws IOException {
        SocketChannel channel = channel();
        FileChannel file = emptyFile();
        assertThrows(NotYetConnectedException.class, () -> file.transferFrom(channel, 0, 1000));
        assertTrue(channel.isOpen());
    }
}
