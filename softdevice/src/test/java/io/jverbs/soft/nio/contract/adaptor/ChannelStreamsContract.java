package io.jverbs.soft.nio.contract.adaptor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels.newInputStream, newOutputStream, newReader and newWriter of socket channels. */
abstract class ChannelStreamsContract extends ChannelContract {
    private static final int LARGE = 4 << 20;

    ChannelStreamsContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // Channels.newInputStream, newOutputStream
    @Test
    void bytesAreWrittenToAStreamAndReadFromOne() throws Exception {
        Pair pair = pair();
        OutputStream out = Channels.newOutputStream(pair.client());
        InputStream in = Channels.newInputStream(pair.server());
        out.write('a');
        out.write(bytes("bcd"));
        out.write(bytes("-ef-"), 1, 2);
        assertEquals('a', in.read());
        byte[] into = new byte[7];
        assertEquals(5, in.readNBytes(into, 1, 5));
        assertArrayEquals(bytes("\0bcdef\0"), into);
    }

    @Test
    void aStreamReadsBytesAboveAHundredAndTwentySevenAsPositive() throws Exception {
        Pair pair = pair();
        Channels.newOutputStream(pair.client()).write(0xff);
        assertEquals(0xff, Channels.newInputStream(pair.server()).read());
    }

    @Test
    void theStreamEndsWhereTheStreamOfTheChannelEnds() throws Exception {
        Pair pair = pair();
        Channels.newOutputStream(pair.client()).write(bytes("all"));
        pair.client().shutdownOutput();
        InputStream in = Channels.newInputStream(pair.server());
        assertArrayEquals(bytes("all"), in.readAllBytes());
        assertEquals(-1, in.read());
        assertEquals(-1, in.read(new byte[1]));
        assertEquals(0, in.read(new byte[0]));
    }

    @ParameterizedTest
    @EnumSource
    void manyBytesAreWrittenByOneCall(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Object> write = BlockingCall.start(kind, () -> {
            Channels.newOutputStream(pair.client()).write(TestBytes.sequence(0, LARGE));
            return pair.client().shutdownOutput();
        });
        assertArrayEquals(TestBytes.sequence(0, LARGE), Channels.newInputStream(pair.server()).readAllBytes());
        write.result();
    }

    @Test
    void aRangeOutsideOfTheArrayIsRefused() throws Exception {
        Pair pair = pair();
        InputStream in = Channels.newInputStream(pair.client());
        OutputStream out = Channels.newOutputStream(pair.client());
        for (int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 3}, {2, 1}, {1, Integer.MAX_VALUE}}) {
            assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[2], range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[2], range[0], range[1]));
        }
    }

    // Channels.newInputStream, newOutputStream: IllegalBlockingModeException
    @Test
    void theStreamsOfAChannelInNonBlockingModeThrow() throws Exception {
        Pair pair = pair();
        InputStream in = Channels.newInputStream(pair.client());
        OutputStream out = Channels.newOutputStream(pair.client());
        pair.client().configureBlocking(false);
        assertThrows(IllegalBlockingModeException.class, in::read);
        assertThrows(IllegalBlockingModeException.class, () -> out.write(1));
        pair.client().configureBlocking(true);
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals('x', in.read());
    }

    // Channels.newInputStream, newOutputStream: closing the stream closes the channel
    @Test
    void theChannelIsClosedWithItsStream() throws Exception {
        Pair first = pair();
        Channels.newInputStream(first.client()).close();
        assertFalse(first.client().isOpen());
        Pair second = pair();
        Channels.newOutputStream(second.client()).close();
        assertFalse(second.client().isOpen());
    }

    @Test
    void theStreamsOfAClosedChannelThrow() throws Exception {
        Pair pair = pair();
        InputStream in = Channels.newInputStream(pair.client());
        OutputStream out = Channels.newOutputStream(pair.client());
        pair.client().close();
        assertThrows(ClosedChannelException.class, in::read);
        assertThrows(ClosedChannelException.class, () -> out.write(1));
    }

    /** The JDK's streams do this for its own channels only: for others, they hold the blocking lock while they wait. */
    @ParameterizedTest
    @EnumSource
    void aThreadWritesToTheStreamWhileAnotherBlocksInARead(ThreadKind kind) throws Exception {
        Pair pair = pair();
        InputStream in = Channels.newInputStream(pair.client());
        BlockingCall<Integer> read = BlockingCall.start(kind, () -> in.read()).awaitBlockedIn(in, "read");
        BlockingCall<Object> write = BlockingCall.start(kind, () -> {
            Channels.newOutputStream(pair.client()).write('r');
            return null;
        });
        if (tested().readsAndWritesAtOnceByChannelsClass()) {
            write.result();
            assertTrue(read.isRunning());
        } else {
            Until.holds("the write waits for the end of the read", write::waitsForMonitor);
        }
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals('x', read.result());
        write.result();
        assertEquals("r", TestBytes.readText(pair.server(), 1));
    }

    // Channels.newReader, newWriter
    @Test
    void linesAreWrittenToAWriterAndReadFromAReader() throws Exception {
        Pair pair = pair();
        try (PrintWriter writer = new PrintWriter(Channels.newWriter(pair.client(), StandardCharsets.UTF_8))) {
            writer.print("one\nzw\u00f6lf\n");
        }
        try (BufferedReader reader = new BufferedReader(
                Channels.newReader(pair.server(), StandardCharsets.UTF_8))) {
            assertEquals("one", reader.readLine());
            assertEquals("zw\u00f6lf", reader.readLine());
            assertNull(reader.readLine());
        }
    }
}
