package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.control.DeviceCounters;
import io.jverbs.rsocket.RdmaStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many bytes through a stream on a network that loses one packet in 100: none is wrong. */
final class RdmaStreamLossTest {
    private static final long BYTES = Long.getLong("jverbs.stream.mebibytes", 16) << 20;
    private static final int MAX_PART = 300_000;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final long seed = Long.getLong("jverbs.test.seed", 1);

    /** Returns the bytes at a position that is a multiple of eight: no part of the stream is like another one. */
    private static long valueAt(long position, long key) {
        long value = (position + key) * MULTIPLIER;
        return value ^ value >>> 29;
    }

    private void write(RdmaStream to, long key) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed + key);
        MemorySegment part = Arena.ofAuto().allocate(MAX_PART + Long.BYTES);
        for (long position = 0; position < BYTES;) {
            long length = Math.min(BYTES - position, 1 + random.nextLong(MAX_PART));
            long first = position / Long.BYTES * Long.BYTES;
            for (long at = first; at < position + length; at += Long.BYTES) {
                part.set(LONG, at - first, valueAt(at, key));
            }
            to.write(part.asSlice(position - first, length));
            position += length;
        }
        to.shutdownOutput();
    }

    private static void read(RdmaStream from, long key) throws IOException, InterruptedException {
        MemorySegment part = Arena.ofAuto().allocate(MAX_PART);
        long position = 0;
        for (int count = from.read(part); count >= 0; count = from.read(part)) {
            for (int i = 0; i < count;) {
                boolean isWhole = (position + i) % Long.BYTES == 0 && i + Long.BYTES <= count;
                if (isWhole) {
                    requireEqual(valueAt(position + i, key), part.get(LONG, i), position + i);
                    i += Long.BYTES;
                } else {
                    long first = (position + i) / Long.BYTES * Long.BYTES;
                    int shift = Byte.SIZE * (int) (position + i - first);
                    requireEqual((byte) (valueAt(first, key) >>> shift), part.get(ValueLayout.JAVA_BYTE, i),
                            position + i);
                    i++;
                }
            }
            position += count;
        }
        assertEquals(BYTES, position);
    }

    private static void requireEqual(long expected, long actual, long position) {
        if (expected != actual) {
            assertEquals(expected, actual, "at byte " + position);
        }
    }

    @Test
    @Timeout(value = 110, unit = TimeUnit.MINUTES)
    void underLossAllBytesOfBothDirectionsArriveInOrder() throws Exception {
        try (StreamPair pair = StreamPair.connect("simulation")) {
            long start = System.nanoTime();
            BackgroundTransfer request = BackgroundTransfer.start(() -> write(pair.client(), 1));
            BackgroundTransfer reply = BackgroundTransfer.start(() -> write(pair.server(), 1 << 20));
            BackgroundTransfer atServer = BackgroundTransfer.start(() -> read(pair.server(), 1));
            read(pair.client(), 1 << 20);
            atServer.get();
            request.get();
            reply.get();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            System.out.println((BYTES >> 20) + " MiB in each direction under a loss of 1 %: " + millis + " ms");
            DeviceCounters counters = pair.serverContext().device().capability(DeviceCounters.class).orElseThrow();
            assertTrue(counters.snapshot().get("out_of_seq_request") > 0, "packets were lost");
        }
    }
}
