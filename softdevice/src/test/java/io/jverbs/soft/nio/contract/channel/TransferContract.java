package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large transfers, in both directions, between several threads, and on several connections. */
abstract class TransferContract extends ChannelContract {
    private static final long LARGE = 16 << 20;
    private static final int THREADS = 4;
    private static final int RECORDS = 300;
    private static final int MAX_RECORD = 20_000;
    private static final int HEADER = 6;

    TransferContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static BlockingCall<Object> writeAndShutDown(ThreadKind kind, SocketChannel to, long length) {
        return BlockingCall.start(kind, () -> {
            TestBytes.writeSequence(to, length);
            return to.shutdownOutput();
        });
    }

    private static BlockingCall<Long> readToEnd(ThreadKind kind, SocketChannel from) {
        return BlockingCall.start(kind, () -> TestBytes.readSequence(from));
    }

    @ParameterizedTest
    @EnumSource
    void sixteenMebibytesAreTransferredInEachDirectionAtOnce(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Long> atServer = readToEnd(kind, pair.server());
        BlockingCall<Long> atClient = readToEnd(kind, pair.client());
        BlockingCall<Object> fromServer = writeAndShutDown(kind, pair.server(), LARGE);
        BlockingCall<Object> fromClient = writeAndShutDown(kind, pair.client(), LARGE);
        assertEquals(LARGE, atServer.result());
        assertEquals(LARGE, atClient.result());
        fromServer.result();
        fromClient.result();
    }

    @Test
    void writesAndReadsOfAnySizesTransferTheSameBytes() throws Exception {
        Pair pair = pair();
        long length = LARGE / 8;
        BlockingCall<Object> write = BlockingCall.start(() -> {
            SplittableRandom random = new SplittableRandom(1);
            long position = 0;
            while (position < length) {
                int size = (int) Math.min(length - position, random.nextInt(1 << random.nextInt(1, 18)));
                ByteBuffer chunk = ByteBuffer.wrap(TestBytes.sequence(position, size));
                TestBytes.writeFully(pair.client(),
                        random.nextBoolean() ? chunk : ByteBuffer.allocateDirect(size).put(chunk).flip());
                position += size;
            }
            return pair.client().shutdownOutput();
        });
        SplittableRandom random = new SplittableRandom(2);
        long position = 0;
        while (position < length) {
            int size = random.nextInt(1, 1 << random.nextInt(1, 18));
            ByteBuffer into = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
            assertTrue(pair.server().read(into) > 0);
            TestBytes.assertSequence(position, into);
            position += into.position();
        }
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        write.result();
    }

    @ParameterizedTest
    @EnumSource
    void aThousandRequestsGetTheirResponses(ThreadKind kind) throws Exception {
        Pair pair = pair();
        BlockingCall<Object> server = BlockingCall.start(kind, () -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(64);
            while (pair.server().read(buffer.clear()) >= 0) {
                TestBytes.writeFully(pair.server(), buffer.flip());
            }
            return null;
        });
        for (int i = 0; i < 1000; i++) {
            String request = "request " + i;
            TestBytes.writeFully(pair.client(), TestBytes.text(request));
            assertEquals(request, TestBytes.readText(pair.client(), request.length()));
        }
        pair.client().close();
        server.result();
    }

    /** One side of a transfer in non-blocking mode. */
    private static final class Side {
        private final SocketChannel channel;
        private final long length;
        private long written;
        private long read;

        Side(SocketChannel channel, long length) {
            this.channel = channel;
            this.length = length;
        }

        void handle(SelectionKey key) {
            try {
                if (key.isReadable()) {
                    ByteBuffer into = ByteBuffer.allocate(1 << 16);
                    channel.read(into);
                    TestBytes.assertSequence(read, into);
                    read += into.position();
                }
                if (key.isWritable()) {
                    written += channel.write(ByteBuffer.wrap(
                            TestBytes.sequence(written, (int) Math.min(1 << 16, length - written))));
                    key.interestOps(written < length
                            ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                            : SelectionKey.OP_READ);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        boolean isComplete() {
            return written == length && read == length;
        }
    }

    @Test
    void oneThreadTransfersInBothDirectionsWithASelector() throws Exception {
        Pair pair = pair().nonBlocking();
        Selector selector = selector();
        Side client = new Side(pair.client(), LARGE / 2);
        Side server = new Side(pair.server(), LARGE / 2);
        for (Side side : List.of(client, server)) {
            side.channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, side);
        }
        while (!client.isComplete() || !server.isComplete()) {
            selector.select(key -> ((Side) key.attachment()).handle(key));
        }
        assertEquals(0, pair.client().read(ByteBuffer.allocate(1)));
        assertEquals(0, pair.server().read(ByteBuffer.allocate(1)));
    }

    /** Bytes that tell their thread and length, and whether the bytes of two records are mixed. */
    private static ByteBuffer[] record(int thread, int length) {
        ByteBuffer payload = ByteBuffer.allocate(length);
        while (payload.hasRemaining()) {
            payload.put((byte) thread);
        }
        return new ByteBuffer[] {ByteBuffer.allocate(HEADER).putShort((short) thread).putInt(length).flip(),
            payload.flip()};
    }

    private static ByteBuffer joined(ByteBuffer[] parts) {
        return ByteBuffer.allocate(parts[0].remaining() + parts[1].remaining()).put(parts[0]).put(parts[1]).flip();
    }

    private static void readFully(SocketChannel from, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            assertTrue(from.read(into) > 0);
        }
        into.flip();
    }

    /** Threads write records on one channel, each with one write. */
    private void assertWritesAreAtomic(boolean gather) throws Exception {
        Pair pair = pair();
        List<BlockingCall<Object>> writers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            writers.add(BlockingCall.start(() -> {
                SplittableRandom random = new SplittableRandom(number);
                for (int i = 0; i < RECORDS; i++) {
                    ByteBuffer[] record = record(number, random.nextInt(MAX_RECORD));
                    long length = record[0].remaining() + record[1].remaining();
                    assertEquals(length,
                            gather ? pair.client().write(record) : pair.client().write(joined(record)));
                }
                return null;
            }));
        }
        int[] counts = new int[THREADS];
        for (int i = 0; i < THREADS * RECORDS; i++) {
            ByteBuffer header = ByteBuffer.allocate(HEADER);
            readFully(pair.server(), header);
            int thread = header.getShort();
            ByteBuffer payload = ByteBuffer.allocate(header.getInt());
            readFully(pair.server(), payload);
            while (payload.hasRemaining()) {
                assertEquals(thread, payload.get());
            }
            counts[thread]++;
        }
        for (int thread = 0; thread < THREADS; thread++) {
            assertEquals(RECORDS, counts[thread]);
            writers.get(thread).result();
        }
    }

    // SocketChannel: at most one thread may be writing at any given time; a blocking write writes all
    @Test
    void theBytesOfTwoWritesOfPlatformThreadsAreNotMixed() throws Exception {
        assertWritesAreAtomic(false);
    }

    @Test
    void theBytesOfTwoGatheringWritesOfPlatformThreadsAreNotMixed() throws Exception {
        assertWritesAreAtomic(true);
    }

    @ParameterizedTest
    @EnumSource
    void everyByteGoesToOneOfSeveralReaders(ThreadKind kind) throws Exception {
        Pair pair = pair();
        List<BlockingCall<long[]>> readers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            readers.add(BlockingCall.start(kind, () -> {
                long[] counts = new long[256];
                ByteBuffer into = ByteBuffer.allocate(1000);
                while (pair.server().read(into.clear()) >= 0) {
                    into.flip();
                    while (into.hasRemaining()) {
                        counts[into.get() & 0xff]++;
                    }
                }
                return counts;
            }));
        }
        int length = 1 << 20;
        TestBytes.writeSequence(pair.client(), length);
        pair.client().shutdownOutput();
        long[] expected = new long[256];
        for (int i = 0; i < length; i++) {
            expected[TestBytes.at(i) & 0xff]++;
        }
        long[] found = new long[256];
        for (BlockingCall<long[]> reader : readers) {
            long[] counts = reader.result();
            for (int i = 0; i < 256; i++) {
                found[i] += counts[i];
            }
        }
        assertArrayEquals(expected, found);
    }

    @ParameterizedTest
    @EnumSource
    void twentyConnectionsOfOneListenerTransferAtTheSameTime(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        List<BlockingCall<Long>> reads = new ArrayList<>();
        List<BlockingCall<Object>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Pair pair = pair(listener);
            reads.add(readToEnd(kind, pair.server()));
            writes.add(writeAndShutDown(kind, pair.client(), 100_000 + i));
        }
        for (int i = 0; i < 20; i++) {
            assertEquals(100_000 + i, reads.get(i).result());
            writes.get(i).result();
        }
    }
}
