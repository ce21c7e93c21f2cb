package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that one side maps and the other one writes, as riomap and riowrite do. */
@Timeout(60)
final class RdmaStreamIomapTest {
    private static final RdmaStreamOptions OPTIONS = RdmaStreamOptions.DEFAULT.withIomapSize(2);

    private static MemorySegment buffer(int size) {
        return Arena.ofAuto().allocate(size);
    }

    private static void awaitByte(StreamPair pair) throws IOException, InterruptedException {
        assertEquals(1, pair.client().read(ByteBuffer.allocate(1)));
    }

    private static void writeAt(StreamPair pair, ByteBuffer from, long offset) throws Exception {
        StreamPair.await("a direct write", () -> {
            try {
                pair.client().iomap().tryWrite(from, offset + from.position());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return !from.hasRemaining();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aMappedBufferHasWhatThePeerWritesToItsOffset(String where) throws Exception {
        try (StreamPair pair = StreamPair.connect(where, OPTIONS, OPTIONS)) {
            MemorySegment first = buffer(100_000);
            MemorySegment second = buffer(50);
            pair.server().iomap().map(first, 1000);
            pair.server().iomap().map(second, 101_000);
            pair.server().write(ByteBuffer.allocate(1));
            awaitByte(pair);
            ByteBuffer data = ByteBuffer.allocate(100_030);
            for (int i = 0; i < data.capacity(); i++) {
                data.put(i, (byte) (i * 7));
            }
            writeAt(pair, data, 1020);
            pair.client().write(ByteBuffer.allocate(1));
            assertEquals(1, pair.server().read(ByteBuffer.allocate(1)));
            for (int i = 0; i < 100_030; i++) {
                byte found = i < 99_980
                        ? first.get(ValueLayout.JAVA_BYTE, 20L + i)
                        : second.get(ValueLayout.JAVA_BYTE, i - 99_980L);
                assertEquals((byte) (i * 7), found);
            }
            assertEquals(0, first.get(ValueLayout.JAVA_BYTE, 19));
        }
    }

    @Test
    void entriesAreUsedAgainAfterTheEndOfTheirMapping() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm", OPTIONS, OPTIONS)) {
            for (int i = 0; i < 2000; i++) {
                MemorySegment mapped = buffer(8);
                pair.server().iomap().map(mapped, 8);
                pair.server().write(ByteBuffer.allocate(1));
                awaitByte(pair);
                assertEquals(8, pair.client().iomap().tryWrite(ByteBuffer.allocate(8).putLong(0, i), 8));
                pair.client().write(ByteBuffer.allocate(1));
                assertEquals(1, pair.server().read(ByteBuffer.allocate(1)));
                assertEquals(Long.reverseBytes(i), mapped.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
                pair.server().iomap().unmap(mapped);
            }
        }
    }

    @Test
    void aWriteToABufferThatIsNoLongerMappedFailsTheStream() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm", OPTIONS, OPTIONS)) {
            MemorySegment mapped = buffer(8);
            pair.server().iomap().map(mapped, 8);
            pair.server().write(ByteBuffer.allocate(1));
            awaitByte(pair);
            pair.server().iomap().unmap(mapped);
            pair.client().iomap().tryWrite(ByteBuffer.allocate(8).putLong(0, -1), 8);
            RdmaStreamException failed = assertThrows(RdmaStreamException.class,
                    () -> pair.client().read(ByteBuffer.allocate(1)));
            assertEquals(Reason.PROTOCOL_ERROR, failed.reason());
            assertEquals(0, mapped.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        }
    }

    @Test
    void aBufferWhoseMessageCannotBeSentIsNotMapped() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm", OPTIONS, OPTIONS)) {
            MemorySegment mapped = buffer(8);
            pair.server().shutdownOutput();
            for (int i = 0; i < 3; i++) {
                assertThrows(IllegalStateException.class, () -> pair.server().iomap().map(mapped, 0));
            }
            assertThrows(IllegalArgumentException.class, () -> pair.server().iomap().unmap(mapped));
        }
    }

    /** A region that is left would keep its protection domain from being deallocated, so the close would throw. */
    @Test
    void aBufferThatIsMappedDuringTheCloseIsDeregistered() throws Exception {
        for (int i = 0; i < 100; i++) {
            try (StreamPair pair = StreamPair.connect("jvm", OPTIONS, OPTIONS)) {
                MemorySegment mapped = buffer(8);
                BackgroundTransfer mapper = BackgroundTransfer.start(() -> {
                    for (int done = 0;; done++) {
                        pair.server().iomap().map(mapped, 0);
                        pair.server().iomap().unmap(mapped);
                        if (done == 0) {
                            pair.server().write(ByteBuffer.allocate(1));
                        }
                    }
                });
                awaitByte(pair);
                pair.server().close();
                Throwable end = assertThrows(ExecutionException.class, mapper::get).getCause();
                assertTrue(end instanceof IllegalStateException || end instanceof RdmaStreamException, end::toString);
            }
        }
    }

    @Test
    void badInputIsRefused() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm", OPTIONS, RdmaStreamOptions.DEFAULT)) {
            MemorySegment mapped = buffer(8);
            IllegalArgumentException unknown = assertThrows(IllegalArgumentException.class,
                    () -> pair.client().iomap().tryWrite(ByteBuffer.allocate(1), 7));
            assertTrue(unknown.getMessage().contains("offset 7"), unknown.getMessage());
            assertThrows(IllegalArgumentException.class, () -> pair.server().iomap().map(buffer(0), 0));
            assertThrows(IllegalArgumentException.class, () -> pair.server().iomap().map(mapped, -1));
            assertThrows(IllegalArgumentException.class, () -> pair.server().iomap().map(mapped, Long.MAX_VALUE));
            assertThrows(IllegalArgumentException.class,
                    () -> pair.server().iomap().map(MemorySegment.ofArray(new byte[8]), 0));
            assertThrows(IllegalArgumentException.class, () -> pair.server().iomap().unmap(mapped));
            pair.server().iomap().map(mapped, 0);
            pair.server().iomap().map(buffer(8), 8);
            VerbsException full = assertThrows(VerbsException.class, () -> pair.server().iomap().map(buffer(8), 16));
            assertEquals(Errno.ENOMEM, full.error());
            VerbsException none = assertThrows(VerbsException.class, () -> pair.client().iomap().map(mapped, 0));
            assertEquals(Errno.ENOMEM, none.error(), "the server has no iomap");
        }
    }
}
