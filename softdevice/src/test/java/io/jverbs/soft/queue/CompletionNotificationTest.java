package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The notification state and the overflow state of a completion queue. A scenario is a sequence of letters:
 *
 * <pre>
 * a  arm for any completion          s  arm for solicited completions
 * p  an unsolicited completion       S  a solicited completion     e  a completion in error
 * .  deferred work is performed      x  one completion is polled
 * </pre>
 */
final class CompletionNotificationTest {
    private static final int CAPACITY = 8;

    private final DeferredWork.DeferredQueue deferred = new DeferredWork.DeferredQueue();
    private final MemorySegment polled = Arena.ofAuto().allocate(CAPACITY * WcLayout.SIZE, Long.BYTES);
    /** What was reported: an event, the first overflow, a later one. */
    private final List<String> reports = new ArrayList<>();
    private final CompletionQueueCore cq = queue(CAPACITY, true);
    /** How often all events were reported. */
    private int wakes;

    private CompletionQueueCore queue(int capacity, boolean notifies) {
        return new CompletionQueueCore(deferred, capacity, notifies, new CompletionEvents() {
            @Override
            public void completionEvent(CompletionQueueCore queue) {
                reports.add("event");
            }

            @Override
            public void allEventsRaised(CompletionQueueCore queue) {
                wakes++;
            }

            @Override
            public void overflow(CompletionQueueCore queue, boolean first) {
                reports.add(first ? "overflow" : "loss");
            }
        });
    }

    private void run(CompletionQueueCore queue, String scenario) {
        for (char step : scenario.toCharArray()) {
            switch (step) {
                case 'a' -> assertTrue(queue.arm(false));
                case 's' -> assertTrue(queue.arm(true));
                case 'p' -> queue.putSuccess(1, 0, 0, 0, 1, 0, 0, false);
                case 'S' -> queue.putReceived(1, 0, 0, 0, 1, 0, 0, true, null);
                case 'e' -> queue.putError(1, WcStatusCode.WR_FLUSH_ERR, 0, 1);
                case 'x' -> assertEquals(1, queue.poll(polled, 1));
                case '.' -> deferred.run();
                default -> throw new IllegalArgumentException(scenario);
            }
        }
        deferred.run();
    }

    /** C18 to C24: the columns are the scenario, and how many events it raises. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            p,     0
            pSe,   0
            a,     0
            s,     0
            ap,    1
            aS,    1
            ae,    1
            sp,    0
            sS,    1
            se,    1
            spS,   1
            spe,   1
            app,   1
            a.p.p, 1
            apa,   1
            apap,  2
            a.pa.p,2
            sSsS,  2
            pa,    0
            pax,   0
            pap,   1
            aap,   1
            aapp,  1
            sap,   1
            asp,   1
            assp,  1
            ssp,   0
            sspS,  1
            apsp,  1
            apsS,  2
            """)
    void anEventIsRaisedByTheFirstCompletionThatMatchesTheArm(String scenario, int events) {
        run(cq, scenario);
        assertEquals(Collections.nCopies(events, "event"), reports);
    }

    /** C29 */
    @Test
    void aQueueWithoutAChannelCannotBeArmed() {
        CompletionQueueCore silent = queue(CAPACITY, false);
        assertFalse(silent.arm(false));
        assertFalse(silent.arm(true));
        run(silent, "pSe");
        assertEquals(List.of(), reports);
    }

    /** C15: the columns are the capacity, the scenario, what is reported, and the completions that can be polled. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            2, pp,      '',                   2
            2, ppp,     overflow,             2
            2, ppp.p,   overflow loss,        2
            2, ppp.p.p, overflow loss loss,   2
            2, pppp,    overflow,             2
            2, ppp.xp,  overflow loss,        1
            2, ppp.xxe, overflow loss,        0
            1, ep,      overflow,             1
            1, pxp,     '',                   1
            1, pxpp,    overflow,             1
            2, app,     event,                2
            2, appp,    event overflow,       2
            2, ppap,    overflow,             2
            2, ppap.xe, overflow loss,        1
            """)
    void anOverflowIsReportedOnceAndEachLaterLossAgain(int capacity, String scenario, String expected, int left) {
        CompletionQueueCore small = queue(capacity, true);
        run(small, scenario);
        assertEquals(expected, String.join(" ", reports));
        assertEquals(left, small.size());
        assertEquals(left, small.poll(polled, CAPACITY));
    }

    /** C15: a queue that has overflowed takes no completion, whatever room it has; a lost one gets the last number. */
    @Test
    void aLostCompletionHasTheNumberOfTheLastOneThatWasAdded() {
        CompletionQueueCore small = queue(2, false);
        for (long number : new long[] {1, 2, 2, 2}) {
            assertEquals(number, small.putSuccess(number, 0, 0, 0, 1, 0, 0, false));
        }
        assertEquals(2, small.poll(polled, CAPACITY));
        assertEquals(2, small.putError(3, WcStatusCode.WR_FLUSH_ERR, 0, 1));
        assertEquals(0, small.size());
    }

    /** C27: no event is lost or reported twice if a step of the report fails once: 0 is the wake. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void eachEventIsReportedOnceIfAStepOfTheReportFails(int failingStep) {
        boolean[] failed = new boolean[1];
        int[] calls = new int[1];
        CompletionQueueCore failing = new CompletionQueueCore(deferred, CAPACITY, true, new CompletionEvents() {
            @Override
            public void completionEvent(CompletionQueueCore queue) {
                failOnce(++calls[0]);
                reports.add("event");
            }

            @Override
            public void allEventsRaised(CompletionQueueCore queue) {
                failOnce(0);
                wakes++;
            }

            @Override
            public void overflow(CompletionQueueCore queue, boolean first) {
                reports.add("overflow");
            }

            private void failOnce(int step) {
                if (step == failingStep && !failed[0]) {
                    failed[0] = true;
                    throw new IllegalStateException("step " + step + " fails on purpose");
                }
            }
        });
        for (int i = 0; i < 3; i++) {
            assertTrue(failing.arm(false));
            failing.putSuccess(1, 0, 0, 0, 1, 0, 0, false);
        }
        deferred.run();
        assertTrue(failed[0], "no step failed");
        assertEquals(List.of("event", "event", "event"), reports);
        assertEquals(1, wakes, "the thread that waits is woken");
    }
}
