package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** D37: when the slots of a send queue become free, for each way in which completion numbers can follow each other. */
final class SendSlotsTest {
    private static final int LARGE = 1024;
    private static final int STEPS = 100_000;

    private final MemorySegment polled = Arena.ofAuto().allocate(LARGE * WcLayout.SIZE, Long.BYTES);
    private CompletionQueueCore cq = queue(LARGE);

    private static CompletionQueueCore queue(int capacity) {
        return new CompletionQueueCore(new DeferredWork.DeferredQueue(), capacity, false, null);
    }

    private SendSlots slots(int count) {
        SendSlots slots = new SendSlots(count, cq) {};
        slots.allocate();
        return slots;
    }

    /** Adds a completion; returns its number. */
    private long complete() {
        return cq.putSuccess(1, 0, 0, 0, 1, 0, 0, false);
    }

    private void poll(int count) {
        assertEquals(count, cq.poll(polled, count));
    }

    /** Asserts that exactly this number of slots is free; takes them. */
    private static void assertFree(int count, SendSlots slots) {
        for (int i = 0; i < count; i++) {
            assertTrue(slots.hasRoom(), i + " slots were free");
            slots.add();
        }
        assertFalse(slots.hasRoom(), "more slots are free");
    }

    private static void fill(SendSlots slots) {
        assertFree(slots.slots(), slots);
    }

    @Test
    void sendQueueOfSizeZeroHasNoRoom() {
        SendSlots slots = slots(0);
        assertFalse(slots.hasRoom());
        slots.removeAll();
        assertFalse(slots.hasRoom());
        assertEquals(SendSlots.NO_COMPLETION, slots.oldestUnpolled());
    }

    /** The last completion is numbered as if the unsignaled request had the completion before it. */
    @Test
    void completionOfAnotherQueuePairDoesNotStandForUnsignaledRequest() {
        SendSlots slots = slots(4);
        fill(slots);
        slots.finishOldest(complete());
        slots.finishOldest(SendSlots.NO_COMPLETION);
        complete();
        slots.finishOldest(complete());
        poll(2);
        assertFree(1, slots);
        assertEquals(3, slots.oldestUnpolled());
        poll(1);
        assertFree(2, slots);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void eachRequestIsFreedByItsOwnCompletionBetweenThoseOfAnotherQueuePair(int count) {
        SendSlots slots = slots(count);
        fill(slots);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < count; i++) {
                complete();
                slots.finishOldest(complete());
            }
            assertFree(0, slots);
            for (int i = 0; i < count; i++) {
                poll(1);
                assertFree(0, slots);
                poll(1);
                assertFree(1, slots);
            }
        }
    }

    /** The put side of a completion queue of four entries learns with each fourth completion what has been polled. */
    @Test
    void requestAfterACompletionOfAnotherQueuePairFreesThoseKnownToBePolled() {
        cq = queue(4);
        SendSlots slots = slots(8);
        List<Integer> used = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            complete();
            slots.appendDone(complete());
            used.add(slots.used());
            poll(2);
        }
        assertEquals(List.of(1, 2, 1, 2, 1), used);
    }

    @Test
    void requestAfterACompletionOfAnotherQueuePairFreesNoneThatIsNotPolled() {
        SendSlots slots = slots(8);
        for (int i = 1; i <= 8; i++) {
            complete();
            slots.appendDone(complete());
            assertEquals(i, slots.used());
        }
        poll(16);
        assertFree(8, slots);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void alternatelySignaledRequestsAreFreedInPairs(int count) {
        SendSlots slots = slots(count);
        fill(slots);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < count; i++) {
                slots.finishOldest(i % 2 == 0 ? SendSlots.NO_COMPLETION : complete());
            }
            for (int i = 0; i < count; i += 2) {
                assertFree(0, slots);
                poll(1);
                assertFree(2, slots);
            }
        }
    }

    /** C15: a completion that is lost when the queue overflows has the number of the last one that was added. */
    @Test
    void lostCompletionsCountAsPolledWithTheLastOneAdded() {
        cq = queue(2);
        SendSlots slots = slots(8);
        fill(slots);
        for (int i = 0; i < 8; i++) {
            slots.finishOldest(complete());
        }
        assertFree(0, slots);
        poll(1);
        assertFree(1, slots);
        poll(1);
        assertFree(7, slots);
    }

    /** D34: completions from before a reset neither free nor keep the slots of requests posted after it. */
    @Test
    void completionsPolledAfterResetFreeNoSlots() {
        SendSlots slots = slots(8);
        fill(slots);
        for (int i = 0; i < 4; i++) {
            slots.finishOldest(complete());
        }
        slots.removeAll();
        assertEquals(0, slots.used());
        fill(slots);
        poll(4);
        assertFree(0, slots);
        slots.finishOldest(complete());
        assertFree(0, slots);
        poll(1);
        assertFree(1, slots);
    }

    /** A send queue as a list of all requests that are in it, oldest first. */
    private static final class Model {
        private static final long NOT_DONE = -1;

        /** For each request, the number of its completion, {@link SendSlots#NO_COMPLETION} or {@link #NOT_DONE}. */
        private final List<Long> requests = new ArrayList<>();
        private long removed;
        private long polled;

        private void finish(long completion) {
            requests.set(requests.indexOf(NOT_DONE), completion);
        }

        private void poll(int count) {
            polled += count;
            for (int i = requests.size() - 1; i >= 0; i--) {
                if (requests.get(i) > 0 && requests.get(i) <= polled) {
                    remove(i + 1);
                    return;
                }
            }
        }

        private void remove(int count) {
            requests.subList(0, count).clear();
            removed += count;
        }

        private int outstanding() {
            return (int) requests.stream().filter(completion -> completion == NOT_DONE).count();
        }

        private long oldestUnpolled() {
            return requests.stream().filter(completion -> completion > 0).findFirst().orElse(SendSlots.NO_COMPLETION);
        }

        private void assertSame(SendSlots slots) {
            assertEquals(requests.size() < slots.slots(), slots.hasRoom(), "has room");
            if (slots.hasRoom()) {
                assertTrue(slots.used() >= requests.size(), "slots in use");
            } else {
                assertEquals(slots.slots(), slots.used(), "slots in use");
                assertEquals(oldestUnpolled(), slots.oldestUnpolled(), "oldest completion that was not polled");
            }
            assertEquals(outstanding(), slots.count(), "requests that are not done");
            assertEquals(outstanding() == 0, slots.isEmpty(), "all done");
            assertEquals(removed + requests.size(), slots.end(), "position after the latest request");
            assertEquals(slots.end() - outstanding(), slots.first(), "position of the oldest request not done");
        }
    }

    /** Applies random operations to the slots and to the model, and compares the two after each. */
    private final class Run {
        private final Model model = new Model();
        private final SendSlots slots;
        private final SplittableRandom random;
        private final int signaledPercent;

        private Run(int count, int signaledPercent) {
            this.slots = slots(count);
            this.random = new SplittableRandom(31L * count + signaledPercent);
            this.signaledPercent = signaledPercent;
        }

        private long completion() {
            return random.nextInt(100) < signaledPercent ? complete() : SendSlots.NO_COMPLETION;
        }

        private void step(int othersPercent) {
            if (random.nextInt(100) < othersPercent) {
                complete();
            }
            int chance = random.nextInt(1000);
            if (chance < 250) {
                post();
            } else if (chance < 650) {
                finish();
            } else if (chance < 990) {
                poll(random.nextInt(1 + slots.slots()));
            } else if (chance < 993) {
                flush();
            } else if (chance < 996) {
                model.remove(model.requests.size());
                slots.removeAll();
            } else {
                assertTrue(cq.resize(cq.cqe() == LARGE ? 2 * LARGE : LARGE, LARGE));
            }
            if (cq.size() > LARGE / 2) {
                poll(LARGE / 2);
            }
        }

        private void post() {
            if (model.requests.size() < slots.slots()) {
                model.requests.add(Model.NOT_DONE);
                slots.add();
            }
        }

        /** Completes the oldest request, or adds one that is done. */
        private void finish() {
            if (model.outstanding() != 0) {
                long completion = completion();
                model.finish(completion);
                slots.finishOldest(completion);
            } else if (model.requests.size() < slots.slots()) {
                long completion = completion();
                model.requests.add(completion);
                slots.appendDone(completion);
            }
        }

        private void flush() {
            while (model.outstanding() != 0) {
                long completion = complete();
                model.finish(completion);
                slots.finishOldest(completion);
            }
        }

        private void poll(int count) {
            model.poll(cq.poll(polled, count));
        }
    }

    @ParameterizedTest(name = "{0} slots, {1} % signaled, others add {2} %")
    @CsvSource({"1, 50, 0", "1, 100, 50", "2, 50, 20", "2, 100, 0", "4, 30, 5", "8, 100, 0", "8, 100, 50", "8, 50, 50",
        "8, 95, 5", "8, 10, 0", "8, 0, 50", "16, 50, 0", "16, 90, 20", "64, 97, 2", "64, 20, 60"})
    void slotsInUseMatchModelAfterRandomOperations(int count, int signaledPercent, int othersPercent) {
        Run run = new Run(count, signaledPercent);
        for (int step = 0; step < STEPS; step++) {
            run.step(othersPercent);
            try {
                run.model.assertSame(run.slots);
            } catch (AssertionError e) {
                throw new AssertionError("at step " + step, e);
            }
        }
    }
}
