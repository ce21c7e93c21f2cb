package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpCapabilities;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.transport.rc.ReliableConnection;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When slots of a send ring become free. */
final class SendRingTest {
    private static final int SLOTS = 8;
    private static final int LARGE = 1024;

    private final MemorySegment polled = Arena.ofAuto().allocate(LARGE * WcLayout.SIZE, Long.BYTES);
    private final SendWorkRequest request = SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE);
    private CompletionQueueCore cq = queue(LARGE);
    private SendRing ring = ring(SLOTS);

    private static CompletionQueueCore queue(int capacity) {
        return new CompletionQueueCore(new DeferredWork.DeferredQueue(), capacity, false, null);
    }

    private SendRing ring(int slots) {
        SendRing made = new SendRing(new ReliableConnection(), new QpCapabilities(slots, 0, 1, 0, 0), cq);
        made.allocate();
        return made;
    }

    private long complete() {
        return cq.putSuccess(1, 0, 0, 0, 1, 0, 0, false);
    }

    private int append() {
        return ring.append(request, true);
    }

    /** Appends requests until the ring is full; returns their number. */
    private int fill() {
        int count = 0;
        while (append() == 0) {
            count++;
        }
        return count;
    }

    private void finish(int count, boolean signaled) {
        for (int i = 0; i < count; i++) {
            ring.finish(signaled ? complete() : SendRing.NO_COMPLETION);
        }
    }

    private void poll(int count) {
        assertEquals(count, cq.poll(polled, count));
    }

    @Test
    void ringWithoutSlotsIsFull() {
        ring = ring(0);
        assertFalse(ring.hasRoom());
        assertEquals(ErrnoCode.ENOMEM, append());
    }

    @Test
    void finishedRequestKeepsSlotUntilItsCompletionIsPolled() {
        assertEquals(SLOTS, fill());
        finish(SLOTS, true);
        assertTrue(ring.isEmpty());
        assertEquals(ErrnoCode.ENOMEM, append());
        assertEquals(1, ring.oldestUnpolled());
        poll(3);
        assertEquals(3, fill());
        assertEquals(SLOTS, ring.used());
        assertEquals(4, ring.oldestUnpolled());
        poll(SLOTS - 3);
        assertEquals(SLOTS - 3, fill());
        assertEquals(SendRing.NO_COMPLETION, ring.oldestUnpolled(), "outstanding requests have no completion");
    }

    @Test
    void pollingCompletionFreesEarlierRequestsWithoutCompletion() {
        fill();
        finish(3, false);
        finish(1, true);
        finish(2, false);
        finish(1, true);
        assertEquals(0, fill());
        poll(1);
        assertEquals(4, fill());
        assertEquals(2, ring.oldestUnpolled());
        poll(1);
        assertEquals(3, fill());
        finish(1, false);
        assertEquals(0, fill());
        assertEquals(SendRing.NO_COMPLETION, ring.oldestUnpolled());
    }

    @Test
    void laterCompletionOfAnotherQueuePairDoesNotFreeOutstandingRequest() {
        fill();
        finish(2, true);
        complete();
        poll(3);
        assertEquals(2, fill());
    }

    @Test
    void requestsAppendedAsDoneTakeSlots() {
        for (int round = 0; round < 10; round++) {
            int passed = 0;
            while (ring.hasRoom()) {
                ring.appendDone(passed++ % 2 == 0 ? SendRing.NO_COMPLETION : complete());
            }
            assertEquals(SLOTS, passed);
            assertTrue(ring.isEmpty());
            poll(SLOTS / 2);
        }
    }

    @Test
    void clearFreesAllSlots() {
        fill();
        finish(SLOTS / 2, true);
        ring.removeRequests();
        assertEquals(0, ring.used());
        assertEquals(SLOTS, fill());
        poll(SLOTS / 2);
        assertEquals(0, fill());
    }

    @Test
    void slotsAreFreedAcrossResizeOfCompletionQueue() {
        cq = queue(SLOTS);
        ring = ring(SLOTS);
        for (int round = 0; round < 5; round++) {
            fill();
            finish(SLOTS, true);
            poll(3);
            assertTrue(cq.resize(2 * SLOTS, 2 * SLOTS));
            assertEquals(3, fill());
            poll(2);
            assertTrue(cq.resize(SLOTS, SLOTS));
            assertEquals(2, fill());
            finish(5, true);
            poll(SLOTS);
        }
    }

    /** C15: a completion that was lost in an overrun is never polled and must not keep a slot. */
    @Test
    void lostCompletionsCountAsPolledOnceLastStoredOneIsPolled() {
        cq = queue(2);
        ring = ring(SLOTS);
        fill();
        finish(SLOTS, true);
        assertEquals(0, fill());
        poll(1);
        assertEquals(1, fill());
        poll(1);
        assertEquals(SLOTS - 1, fill());
    }

    /** Compares the ring with a model over random sequences of posts, completions and polls. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    void slotsInUseMatchModelForRandomSequences(int slots) {
        ring = ring(slots);
        SplittableRandom random = new SplittableRandom(slots);
        // sequence numbers of completions, oldest request first
        Deque<Long> done = new ArrayDeque<>();
        int outstanding = 0;
        long polledCount = 0;
        long put = 0;
        for (int step = 0; step < 200_000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    boolean fits = done.size() + outstanding < slots;
                    assertEquals(fits ? 0 : ErrnoCode.ENOMEM, append(), "at step " + step);
                    outstanding += fits ? 1 : 0;
                }
                case 1 -> {
                    boolean canAppendDone = ring.isEmpty() && ring.hasRoom();
                    assertEquals(outstanding == 0 && done.size() < slots, canAppendDone, "at step " + step);
                    if (canAppendDone || outstanding > 0) {
                        long completion = random.nextBoolean() ? complete() : SendRing.NO_COMPLETION;
                        put = Math.max(put, completion);
                        done.add(completion);
                        outstanding -= canAppendDone ? 0 : 1;
                        if (canAppendDone) {
                            ring.appendDone(completion);
                        } else {
                            ring.finish(completion);
                        }
                    }
                }
                case 2 -> {
                    if (polledCount < put) {
                        poll(1);
                        polledCount++;
                        if (done.contains(polledCount)) {
                            while (done.remove() != polledCount) {
                                // the completion frees earlier requests too
                            }
                        }
                    }
                }
                default -> {
                    if (random.nextInt(100) == 0) {
                        ring.removeRequests();
                        done.clear();
                        outstanding = 0;
                    } else if (random.nextInt(10) == 0) {
                        // a completion of another queue pair
                        put = complete();
                    }
                }
            }
            if (put - polledCount > LARGE / 2) {
                poll((int) (put - polledCount));
                polledCount = put;
                while (done.stream().anyMatch(completion -> completion != SendRing.NO_COMPLETION)) {
                    done.remove();
                }
            }
        }
    }
}
