package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which receive requests a ring holds, and when their slots are free again. A scenario is a sequence of letters:
 *
 * <pre>
 * p  a request is posted             P  a post is refused with ENOMEM
 * t  the oldest request is loaded, completed and taken
 * l  the oldest request is loaded    E  there is none to load
 * x  a completion is polled          o  a completion of another queue is added
 * c  all requests are removed
 * </pre>
 */
final class ReceiveRingTest {
    private static final int MAX_SGE = 2;
    private static final int COMPLETIONS = 64;

    private final MemorySegment polled = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
    private final ReceiveWqe loaded = new ReceiveWqe(MAX_SGE);
    private final ReceiveWorkRequest request = ReceiveWorkRequest.create(MAX_SGE + 1);
    private CompletionQueueCore cq = queue(COMPLETIONS);
    private long nextPosted = 1;
    private long nextTaken = 1;

    private static CompletionQueueCore queue(int capacity) {
        return new CompletionQueueCore(new DeferredWork.DeferredQueue(), capacity, false, new CompletionEvents() {
            @Override
            public void completionEvent(CompletionQueueCore queue) {}

            @Override
            public void allEventsRaised(CompletionQueueCore queue) {}

            @Override
            public void overflow(CompletionQueueCore queue, boolean first) {}
        });
    }

    private int post(ReceiveRing ring) {
        int errno = post(ring, request.wrId(nextPosted).sgeCount(0));
        nextPosted += errno == 0 ? 1 : 0;
        return errno;
    }

    static int post(ReceiveRing ring, ReceiveWorkRequest request) {
        ring.postLock().lock();
        try {
            return ring.post(request.memory());
        } finally {
            ring.postLock().unlock();
        }
    }

    private static void locked(ReceiveRing ring, Runnable task) {
        ring.postLock().lock();
        try {
            task.run();
        } finally {
            ring.postLock().unlock();
        }
    }

    private void take(ReceiveRing ring, boolean shared) {
        assertTrue(ring.load(loaded));
        assertEquals(nextTaken++, loaded.wrId);
        cq.putReceived(loaded.wrId, 0, 0, 0, 1, 0, 0, false, shared ? null : ring);
        ring.taken();
    }

    private void run(ReceiveRing ring, String scenario, boolean shared) {
        for (int i = 0; i < scenario.length(); i++) {
            String where = "step " + i + " of " + scenario;
            switch (scenario.charAt(i)) {
                case 'p' -> assertEquals(0, post(ring), where);
                case 'P' -> assertEquals(ErrnoCode.ENOMEM, post(ring), where);
                case 't' -> take(ring, shared);
                case 'l' -> {
                    assertTrue(ring.load(loaded), where);
                    assertEquals(nextTaken, loaded.wrId, where);
                }
                case 'E' -> assertFalse(ring.load(loaded), where);
                case 'x' -> assertEquals(1, cq.poll(polled, 1), where);
                case 'o' -> cq.putSuccess(0, 0, 0, 0, 2, 0, 0, false);
                case 'c' -> {
                    locked(ring, ring::clear);
                    nextTaken = nextPosted;
                }
                default -> throw new IllegalArgumentException(where);
            }
        }
    }

    /** E3: the slot of a request of a queue pair is free when its completion has been polled, not earlier. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, EPE
            1, EpPl
            1, pP
            1, plllP
            1, ptPxpP
            1, ptPEPxptPxp
            2, ppPtPxpPtPxp
            2, ppttPxpPxpP
            2, ppttPxxppP
            4, ppppPttttPxpPxxppPxpP
            2, potxpPxp
            2, ppottPxPxpxp
            2, pptoxpPxPtPxp
            4, ppppPcEppppP
            2, ppttPcEppPttPxPxPxpPxp
            4, ppppPtottPxpPxPxpPxpP
            4, ppppPttottPxpPxpPxPxpPxpP
            """)
    void aSlotOfAQueuePairIsFreeOnceItsCompletionWasPolled(int capacity, String scenario) {
        run(new ReceiveRing(capacity, MAX_SGE, cq), scenario, false);
    }

    /** D34: requests that were removed leave nothing behind, however often that happens. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13, 40})
    void aSlotIsFreeOnceItsCompletionWasPolledAfterAnyNumberOfResets(int resets) {
        run(new ReceiveRing(4, MAX_SGE, cq), "pptotxxxc".repeat(resets) + "ppppPtototPxpPxPxpPxPxpPtPxpP", false);
    }

    /** The requests of a shared receive queue complete in the completion queues of many queue pairs. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, EPE
            1, pP
            1, plllPtpP
            2, ppPtpPttEppP
            4, ppppPttttEppppP
            4, ppppPtpPtpPtpPtpP
            2, ppPcEppP
            """)
    void aSlotOfASharedReceiveQueueIsFreeOnceItsRequestIsTaken(int capacity, String scenario) {
        run(new ReceiveRing(capacity, MAX_SGE), scenario, true);
    }

    /** C15: a completion that was lost is never polled and must not keep a slot. */
    @Test
    void theSlotsOfLostCompletionsAreFreeOnceTheLastOneThatWasAddedIsPolled() {
        cq = queue(2);
        run(new ReceiveRing(4, MAX_SGE, cq), "ppppttttPxpPxpppP", false);
    }

    /** The columns are the capacity, the new capacity, and the requests in the ring. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            1, 2, 0
            1, 2, 1
            4, 8, 3
            4, 8, 4
            8, 4, 0
            8, 4, 4
            4, 1, 1
            4, 4, 3
            """)
    void resizeKeepsTheRequestsInOrder(int capacity, int resized, int held) {
        for (int start = 0; start <= capacity; start++) {
            nextPosted = 1;
            nextTaken = 1;
            cq = queue(COMPLETIONS);
            loaded.number = -1;
            ReceiveRing ring = new ReceiveRing(capacity, MAX_SGE);
            run(ring, "pt".repeat(start) + "p".repeat(held), true);
            locked(ring, () -> ring.resize(resized));
            assertEquals(resized, ring.capacity());
            assertEquals(held, ring.size());
            run(ring, "p".repeat(resized - held) + "P" + "t".repeat(resized) + "E", true);
        }
    }

    /** E5: the columns are the number of scatter elements and the outcome of the post. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "2, true", "3, false"})
    void aRequestIsLoadedWithAllItsElementsOrRefused(int count, boolean accepted) {
        ReceiveRing ring = new ReceiveRing(2, MAX_SGE, cq);
        request.wrId(77);
        for (int i = 0; i < count; i++) {
            request.sge(i, 1000 + i, 10 + i, 100 + i);
        }
        request.sgeCount(count);
        assertEquals(accepted ? 0 : ErrnoCode.EINVAL, post(ring, request));
        assertEquals(accepted, ring.load(loaded));
        if (accepted) {
            // the copy stays valid when the request is written again
            request.sge(0, 0, 0, 0).sgeCount(1).wrId(0);
            assertEquals(77, loaded.wrId);
            assertEquals(count, loaded.sgeCount);
            for (int i = 0; i < count; i++) {
                assertEquals(1000 + i, loaded.elements[2 * i]);
                assertEquals(Words.of(10 + i, 100 + i), loaded.elements[2 * i + 1]);
            }
        }
    }

    /** The columns are what was posted and loaded before, and the request that is prepared, 0 for none. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            p,    0
            pl,   1
            ppl,  1
            pptl, 2
            ppt,  2
            pt,   0
            ptp,  0
            """)
    void aRequestIsPreparedIfItWasSeenToBePosted(String scenario, long prepared) {
        ReceiveRing ring = new ReceiveRing(4, MAX_SGE, cq);
        run(ring, scenario, false);
        ReceiveWqe copy = new ReceiveWqe(MAX_SGE);
        ring.prepare(copy);
        assertEquals(prepared, copy.wrId);
        assertEquals(prepared - 1, copy.number);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void theSizeIsThatOfTheRequestsPostedAndNotTaken(int capacity) {
        ReceiveRing ring = new ReceiveRing(capacity, MAX_SGE);
        for (int held = 0; held < capacity; held++) {
            assertEquals(held, ring.size());
            run(ring, "p", true);
            assertFalse(ring.isEmpty());
        }
        for (int held = capacity; held > 0; held--) {
            assertEquals(held, ring.size());
            run(ring, "lt", true);
        }
        assertEquals(0, ring.size());
        assertTrue(ring.isEmpty());
    }
}
