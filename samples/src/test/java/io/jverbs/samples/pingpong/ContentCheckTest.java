package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The generation and check of messages on both sides, also with C programs, which have a single buffer. */
class ContentCheckTest {
    private static final byte FILLER = 0x7b;
    private static final int ITERATIONS = 3;

    private static List<Destination> destinations(int count, int psn) {
        return IntStream.range(0, count).mapToObj(i -> new Destination(0, i + 1, psn + i, Gid.ZERO)).toList();
    }

    private static ContentCheck contents(boolean client, int queuePairs, int size, byte filler) {
        Settings settings = new Settings(client ? "host" : null, 1, null, 1, size, Mtu.MTU_1024, 500, ITERATIONS, 0,
                false, 0,
                true, queuePairs, false);
        int own = client ? 100 : 200;
        return new ContentCheck(settings, destinations(queuePairs, own), destinations(queuePairs, 300 - own), filler);
    }

    private static MemorySegment memory(int size) {
        return Arena.ofAuto().allocate(size);
    }

    private static MemorySegment copy(MemorySegment from) {
        return memory((int) from.byteSize()).copyFrom(from);
    }

    private static byte at(MemorySegment memory, long index) {
        return memory.get(ValueLayout.JAVA_BYTE, index);
    }

    private static void flip(MemorySegment memory, long index) {
        memory.set(ValueLayout.JAVA_BYTE, index, (byte) (at(memory, index) ^ 0x20));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 4095, 4096, 4097, 10_000})
    void theServerOfAClientThatGeneratesMessagesChecksThemAndGeneratesNone(int size) {
        ContentCheck client = contents(true, 1, size, FILLER);
        ContentCheck server = contents(false, 1, size, FILLER);
        MemorySegment message = memory(size);
        for (int i = 0; i < ITERATIONS; i++) {
            client.generate(0, message);
            server.check(0, message);
            assertFalse(server.generates());
            client.check(0, message);
        }

        assertEquals(0, server.wrong());
        assertEquals(0, client.wrong());
    }

    @Test
    void aRepeatedMessageIsWrong() {
        ContentCheck client = contents(true, 1, 100, FILLER);
        ContentCheck server = contents(false, 1, 100, FILLER);
        MemorySegment message = memory(100);
        client.generate(0, message);
        server.check(0, message);
        server.check(0, message);

        assertEquals(1, server.wrong());
    }

    @Test
    void eachMessageHasOtherBytes() {
        ContentCheck client = contents(true, 1, 1000, FILLER);
        MemorySegment first = memory(1000);
        MemorySegment second = memory(1000);
        client.generate(0, first);
        client.generate(0, second);

        long equal = IntStream.range(0, 1000).filter(i -> at(first, i) == at(second, i)).count();
        assertTrue(equal < 30, equal + " of 1000 bytes are the same");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 4095, 4096, 4097, 9998, 9999})
    void oneFlippedBitIsFoundAtItsByteAndPage(int index) {
        ContentCheck client = contents(true, 1, 10_000, FILLER);
        MemorySegment message = memory(10_000);
        client.generate(0, message);
        flip(message, index);
        client.check(0, message);

        assertEquals(1, client.wrong());
        assertEquals(index / 4096, client.wrongPage());
        assertTrue(client.firstWrong(destinations(1, 0)).contains("in which byte " + index + " was 0x"),
                client.firstWrong(destinations(1, 0)));
    }

    /** The C server checks that the pages of the last message begin with 0. */
    @Test
    void pagesOfTheLastMessageBeginWithZeroAndThoseOfTheOthersDoNot() {
        ContentCheck client = contents(true, 1, 10_000, FILLER);
        MemorySegment message = memory(10_000);
        for (int i = 0; i < ITERATIONS; i++) {
            client.generate(0, message);
            for (int page = 0; page < 10_000; page += 4096) {
                assertEquals(i == ITERATIONS - 1, at(message, page) == 0, "message " + i);
                assertNotEquals(FILLER, at(message, page));
            }
        }
    }

    @Test
    void pagesOfAllMessagesBeginWithZeroIfAnyCanBeTheLast() {
        ContentCheck client = contents(true, 2, 5000, (byte) 0);
        MemorySegment message = memory(5000);
        for (int i = 0; i < ITERATIONS; i++) {
            client.generate(1, message);
            assertEquals(0, at(message, 0));
            assertEquals(0, at(message, 4096));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 5000})
    void theServerOfAClientThatSendsItsInitialMemoryGeneratesTheMessages(int size) {
        ContentCheck server = contents(false, 1, size, FILLER);
        MemorySegment message = memory(size).fill(FILLER);
        message.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
        server.check(0, message);
        assertTrue(server.generates());
        for (int i = 0; i < ITERATIONS - 1; i++) {
            server.generate(0, message);
            server.check(0, message);
        }
        assertEquals(0, server.wrong());

        server.generate(0, message);
        flip(message, size - 1);
        server.check(0, message);
        assertEquals(1, server.wrong());
    }

    @Test
    void aFirstMessageThatIsNeitherGeneratedNorInitialMemoryIsWrong() {
        ContentCheck server = contents(false, 1, 50, FILLER);
        server.check(0, memory(50).fill((byte) 5));

        assertEquals(1, server.wrong());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 21, 1024, 4096, 4999})
    void aReturnedMessageMayHavePartsOfTwoMessagesInFlight(int border) {
        ContentCheck client = contents(true, 3, 5000, (byte) 0);
        MemorySegment[] sent = {memory(5000), memory(5000), memory(5000)};
        for (int qp = 0; qp < 3; qp++) {
            client.generate(qp, sent[qp]);
        }
        MemorySegment buffer = copy(sent[0]);
        MemorySegment.copy(sent[2], border, buffer, border, 5000 - border);
        client.check(0, buffer);
        client.check(1, buffer);

        assertEquals(0, client.wrong());
        assertEquals(2, client.mixed());
        flip(buffer, 3004);
        client.check(2, buffer);
        assertEquals(1, client.wrong());
    }

    /** Two processors may copy to the buffer at the same time, byte by byte. */
    @Test
    void aReturnedMessageMayMixMessagesInFlightByteByByte() {
        ContentCheck client = contents(true, 3, 5000, (byte) 0);
        MemorySegment[] sent = {memory(5000), memory(5000), memory(5000)};
        for (int qp = 0; qp < 3; qp++) {
            client.generate(qp, sent[qp]);
        }
        MemorySegment buffer = memory(5000);
        for (int i = 0; i < 5000; i++) {
            MemorySegment.copy(sent[i % 3], i, buffer, i, 1);
        }
        client.check(0, buffer);

        assertEquals(0, client.wrong());
        assertEquals(1, client.mixed());
    }

    @Test
    void aMessageThatHasReturnedCannotReturnAgain() {
        ContentCheck client = contents(true, 2, 300, (byte) 0);
        MemorySegment old = memory(300);
        client.generate(0, old);
        client.check(0, old);
        client.generate(1, memory(300));
        client.check(1, old);

        assertEquals(1, client.wrong());
    }

    @Test
    void aMessageThatIsSentLaterMayReturnEarlier() {
        ContentCheck client = contents(true, 2, 300, (byte) 0);
        MemorySegment first = memory(300);
        MemorySegment later = memory(300);
        client.generate(1, memory(300));
        client.generate(0, first);
        client.check(0, first);
        client.generate(0, later);
        client.check(1, later);

        assertEquals(0, client.wrong());
        assertEquals(1, client.mixed());
    }

    @Test
    void theFirstMessageOfAQueuePairMayMixInitialMemoryAndMessagesOfOthers() {
        ContentCheck server = contents(false, 2, 300, (byte) 0);
        server.check(0, memory(300));
        MemorySegment sent = memory(300);
        server.generate(0, sent);
        MemorySegment divided = copy(sent);
        divided.asSlice(0, 100).fill((byte) 0);
        server.check(1, divided);

        assertEquals(0, server.wrong());
        assertEquals(1, server.mixed());
    }
}
