package io.jverbs.rsocket.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The positions in the buffers of both sides, the target SGL, and the credits. */
class BufferArithmeticTest {
    private final MemorySegment entries = Arena.ofAuto().allocate(TargetSgl.BYTES, 8);

    private void publish(int index, long address, int key, int length) {
        long at = (long) index * RemoteSge.BYTES;
        entries.set(ValueLayout.JAVA_LONG, at, address);
        entries.set(ValueLayout.JAVA_INT, at + RemoteSge.KEY, key);
        entries.set(ValueLayout.JAVA_INT, at + RemoteSge.LENGTH, length);
    }

    private static String violation(Runnable action) {
        return assertThrows(ProtocolViolation.class, action::run).getMessage();
    }

    @Test
    void theSequenceNumberIsLimitedByTheCreditsOfThePeerAcrossTheWrapOf16Bits() {
        SendSequence sequence = new SendSequence(3);
        for (int sent = 0; sent < 200_000; sent += 3) {
            for (int i = 0; i < 3; i++) {
                assertTrue(sequence.isAvailable());
                sequence.take(1);
            }
            assertFalse(sequence.isAvailable(), "message " + sent);
            sequence.limit(sent + 3 + 2 & 0xFFFF);
            assertTrue(sequence.isAvailable());
            sequence.limit(sent + 3 + 3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 0, 0xFFFF, 15, 0x8000})
    void aLimitThatDecreasesOrExceedsTheCreditsIsAViolation(int limit) {
        SendSequence sequence = new SendSequence(10);
        for (int i = 0; i < 4; i++) {
            sequence.take(1);
        }
        sequence.limit(10);
        sequence.limit(14);
        sequence.limit(14);
        String sentence = violation(() -> sequence.limit(limit));
        assertTrue(sentence.contains(limit + ", which is outside 14..14"), sentence);
        assertTrue(sequence.isAvailable(), "the limit has not changed");
    }

    @Test
    void anEntryOfTheTargetSglIsUsedUpBeforeTheNextOne() {
        TargetSgl sgl = new TargetSgl(entries);
        assertEquals(0, sgl.available());
        sgl.first(new RemoteSge(1000, 7, 100));
        sgl.update();
        publish(1, 5000, 8, 50);
        sgl.update();
        sgl.update();
        assertEquals(100, sgl.available());
        sgl.advance(60);
        assertEquals(40, sgl.available());
        assertEquals(1060, sgl.address());
        assertEquals(7, sgl.key());
        sgl.advance(40);
        assertEquals(50, sgl.available());
        assertEquals(5000, sgl.address());
        assertEquals(8, sgl.key());
        sgl.advance(50);
        assertEquals(0, sgl.available());
        sgl.update();
        assertEquals(0, sgl.available(), "each entry is used once");
        publish(0, 1000, 9, 100);
        sgl.update();
        assertEquals(9, sgl.key());
    }

    @Test
    void anEntryThatThePeerWritesTooEarlyIsNotTakenBeforeTheOthersAreUsed() {
        TargetSgl sgl = new TargetSgl(entries);
        sgl.first(new RemoteSge(1000, 7, 100));
        publish(1, 5000, 8, 50);
        publish(0, 9000, 9, 10);
        sgl.update();
        sgl.advance(100);
        assertEquals(5000, sgl.address());
        sgl.update();
        sgl.advance(50);
        assertEquals(9000, sgl.address());
    }

    /** The peer is writing it for its next message: its device writes the word with the length last. */
    @Test
    void anEntryWhoseLengthIsNotWrittenYetIsNotTaken() {
        TargetSgl sgl = new TargetSgl(entries);
        entries.set(ValueLayout.JAVA_LONG, 0, 7000);
        sgl.update();
        assertEquals(0, sgl.available());
        publish(0, 7000, 8, 50);
        sgl.update();
        assertEquals(50, sgl.available());
        assertEquals(7000, sgl.address());
        assertEquals(8, sgl.key());
    }

    @ParameterizedTest
    @CsvSource({"0, 0x80000001, 2147483649 bytes of its receive buffer, which is outside 1..2147483648",
        "0, 0xffffffff, 4294967295 bytes", "0xfffffffffffffff1, 16, 16 bytes at address 0xfffffffffffffff1"})
    void anEntryThatIsNoMemoryIsAViolation(String address, String length, String expected) {
        TargetSgl sgl = new TargetSgl(entries);
        publish(0, Long.parseUnsignedLong(address.replace("0x", ""), 16), 1, Long.decode(length).intValue());
        String sentence = violation(sgl::update);
        assertTrue(sentence.contains(expected), sentence);
        assertEquals(0, sgl.available());
    }

    @Test
    void aCompletionFreesTheBytesOfAllRequestsUpToItsOwn() {
        SendQueue queue = new SendQueue(8, 64);
        assertFalse(queue.take(10), "the first request is not signaled");
        assertTrue(queue.take(10), "a quarter of the requests");
        assertEquals(2, queue.next());
        assertEquals(6, queue.freeEntries());
        assertEquals(44, queue.freeBytes());
        assertTrue(queue.take(44), "a quarter of the bytes");
        assertEquals(0, queue.contiguousBytes());
        queue.completed(1);
        assertEquals(20, queue.contiguousBytes());
        assertEquals(0, queue.offset());
        queue.take(15);
        queue.completed(2);
        queue.completed(1);
        assertEquals(49, queue.freeBytes(), "a completion that was passed changes nothing");
        assertEquals(49, queue.contiguousBytes());
        assertEquals(15, queue.offset());
    }

    @Test
    void aCompletionOfARequestThatIsNotPostedFreesNothing() {
        SendQueue queue = new SendQueue(8, 64);
        queue.completed(0);
        queue.take(10);
        queue.completed(1);
        assertEquals(7, queue.freeEntries());
        assertEquals(54, queue.freeBytes());
        queue.completed(0);
        assertEquals(8, queue.freeEntries());
        assertEquals(64, queue.freeBytes());
    }

    @Test
    void aFullQueueHasASignaledRequest() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 2000; round++) {
            SendQueue queue = new SendQueue(12 + random.nextInt(20), 64 + random.nextInt(1000));
            long signaled = -1;
            while (queue.freeEntries() > 0 && queue.contiguousBytes() > 0) {
                long number = queue.next();
                if (queue.take(1 + random.nextInt(queue.contiguousBytes()))) {
                    signaled = number;
                }
            }
            assertTrue(signaled >= 0);
            queue.completed(signaled);
            assertTrue(queue.freeEntries() > 0 && queue.freeBytes() > 0);
        }
    }

    @Test
    void theHalvesOfTheReceiveBufferArePublishedInTurn() {
        ReceiveBuffer buffer = new ReceiveBuffer(200, 16);
        assertTrue(buffer.mustPublish(), "the second half");
        assertEquals(100, buffer.nextHalf());
        buffer.published();
        assertEquals(16, buffer.grant());
        assertFalse(buffer.isUpdateDue());
        buffer.arrived(100);
        buffer.arrived(30);
        assertEquals(130, buffer.available());
        buffer.read(99);
        assertFalse(buffer.isUpdateDue());
        buffer.read(1);
        assertTrue(buffer.mustPublish());
        assertEquals(0, buffer.nextHalf());
        assertEquals(17, buffer.grant());
        buffer.published();
        assertFalse(buffer.mustPublish());
    }

    @Test
    void creditsAreReturnedWhenHalfOfTheMessagesAreRead() {
        ReceiveBuffer buffer = new ReceiveBuffer(2000, 16);
        buffer.published();
        buffer.grant();
        for (int i = 0; i < 16; i++) {
            buffer.arrived(2);
        }
        buffer.read(15);
        assertFalse(buffer.isUpdateDue(), "seven messages are read, and half of one");
        buffer.read(1);
        assertTrue(buffer.isUpdateDue());
        assertEquals(24, buffer.grant());
        buffer.arrivedOther();
        buffer.read(14);
        assertTrue(buffer.isUpdateDue(), "seven messages are read, and an iomap message has arrived");
        assertEquals(32, buffer.grant());
    }

    @ParameterizedTest
    @CsvSource({"101, outside 1..100", "0, outside 1..100", "536870911, outside 1..100"})
    void aMessageLongerThanThePublishedPartIsAViolation(int length, String expected) {
        ReceiveBuffer buffer = new ReceiveBuffer(200, 16);
        String sentence = violation(() -> buffer.arrived(length));
        assertTrue(sentence.contains("a message of " + length + " bytes, which is " + expected), sentence);
        assertEquals(0, buffer.available());
    }

    @Test
    void aMessageWithoutACreditIsAViolation() {
        ReceiveBuffer buffer = new ReceiveBuffer(200, 16);
        for (int i = 0; i < 15; i++) {
            buffer.arrived(1);
        }
        buffer.arrivedOther();
        assertTrue(violation(() -> buffer.arrived(1)).contains("more than 16 messages"));
        assertTrue(violation(buffer::arrivedOther).contains("more than 16 messages"));
        assertEquals(15, buffer.available());
        buffer.read(8);
        buffer.grant();
        buffer.arrived(1);
    }

    @Test
    void twoSidesThatFollowTheRulesTransferEveryByteInOrder() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 200; round++) {
            transfer(random, 2 * (32 + random.nextInt(200)), 16 + random.nextInt(30), 64 + random.nextInt(300));
        }
    }

    private void transfer(SplittableRandom random, int size, int credits, int sendBytes) {
        entries.fill((byte) 0);
        ReceiveBuffer receiver = new ReceiveBuffer(size, credits);
        SendSequence sequence = new SendSequence(credits);
        TargetSgl target = new TargetSgl(entries);
        target.first(new RemoteSge(0, 0, size / 2));
        SendQueue sends = new SendQueue(12, sendBytes);
        long[] memory = new long[size];
        long written = 0;
        long read = 0;
        int nextEntry = 1;
        for (int step = 0; step < 3000; step++) {
            if (receiver.isUpdateDue()) {
                if (receiver.mustPublish()) {
                    publish(nextEntry, receiver.nextHalf(), 0, receiver.half());
                    nextEntry = 1 - nextEntry;
                    receiver.published();
                }
                sequence.limit(receiver.grant());
                target.update();
            }
            int possible = (int) Math.min(sends.contiguousBytes(), target.available());
            if (random.nextBoolean() && sends.freeEntries() > 0 && sequence.isAvailable() && possible > 0) {
                int count = 1 + random.nextInt(possible);
                for (int i = 0; i < count; i++) {
                    memory[(int) target.address() + i] = written++;
                }
                long number = sends.next();
                sequence.take(count);
                target.advance(count);
                if (sends.take(count)) {
                    sends.completed(number);
                }
                receiver.arrived(count);
            }
            if (random.nextBoolean() && receiver.available() > 0) {
                int count = 1 + random.nextInt(receiver.contiguous());
                for (int i = 0; i < count; i++) {
                    assertEquals(read++, memory[receiver.offset() + i]);
                }
                receiver.read(count);
            }
        }
        assertTrue(read > 5L * size, "the transfer has not stopped after " + read + " of " + size);
        assertEquals(List.of(sequence.messages(), sequence.bytes(), sequence.limits()),
                List.of(receiver.messages(), receiver.bytes(), receiver.grants()), "what both sides have counted");
    }
}
