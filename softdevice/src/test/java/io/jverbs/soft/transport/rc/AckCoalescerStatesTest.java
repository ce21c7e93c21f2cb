package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state table of {@link AckCoalescer}, cell by cell: catalogue entry L35. */
final class AckCoalescerStatesTest {
    private static final long CHECKED = 1000;
    private static final long EXPIRED = CHECKED + AckCoalescer.MAX_HOLD_NANOS;

    private final AckCoalescer coalescer = new AckCoalescer();

    /** The state, which has no other observer. */
    private String state() throws ReflectiveOperationException {
        Field field = AckCoalescer.class.getDeclaredField("state");
        field.setAccessible(true);
        return field.get(coalescer).toString();
    }

    /** A thread polls, and the peers have alternated often enough for an ACK to be held. */
    private void alternate() {
        coalescer.polled();
        for (int i = 0; i < AckCoalescer.MIN_ALTERNATIONS; i++) {
            coalescer.messageArrived(true);
            assertTrue(coalescer.ackWithRequest());
            coalescer.ackSent();
        }
    }

    private void reach(String state) throws ReflectiveOperationException {
        switch (state) {
            case "NONE" -> {
                // the initial state
            }
            case "NEW" -> coalescer.messageArrived(true);
            case "OFFERED" -> {
                reach("HELD");
                assertTrue(coalescer.ackWithRequest());
            }
            case "HELD" -> {
                reach("NEW");
                assertFalse(coalescer.ackWithRequest());
            }
            case "HELD_TIMED" -> {
                reach("HELD");
                assertTrue(coalescer.holdLonger(true, CHECKED));
            }
            case "HELD_NEW" -> {
                reach("HELD");
                coalescer.messageArrived(true);
            }
            default -> {
                reach("HELD_NEW");
                assertTrue(coalescer.holdLonger(true, CHECKED));
            }
        }
        assertEquals(state, state());
    }

    /** A dash: the event does not occur in the state. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            NONE,           NEW,      -,          NONE,    -,              -
            NEW,            NEW,      HELD,       OFFERED, -,              -
            OFFERED,        NEW,      -,          OFFERED, -,              -
            HELD,           HELD_NEW, -,          OFFERED, HELD_TIMED,     OFFERED
            HELD_TIMED,     HELD_NEW, -,          OFFERED, HELD_TIMED,     OFFERED
            HELD_NEW,       HELD_NEW, HELD,       OFFERED, HELD_NEW_TIMED, NEW
            HELD_NEW_TIMED, HELD_NEW, HELD_TIMED, OFFERED, HELD_NEW_TIMED, NEW
            """)
    void eachEventLeadsToTheStateOfTheTable(String state, String message, String requestHolds, String requestReleases,
            String checkHolds, String checkReleases) throws ReflectiveOperationException {
        check(state, message, () -> coalescer.messageArrived(true));
        check(state, message, () -> coalescer.messageArrived(false));
        check(state, requestHolds, () -> assertFalse(coalescer.ackWithRequest()));
        if (!state.startsWith("HELD_NEW") && !state.equals("NEW")) {
            // only the first request after a message can hold its ACK
            check(state, requestReleases, () -> assertTrue(coalescer.ackWithRequest()));
        }
        check(state, checkHolds, () -> assertTrue(coalescer.holdLonger(true, CHECKED)));
        check(state, checkHolds, () -> assertTrue(coalescer.holdLonger(true, EXPIRED - 1)));
        check(state, checkReleases, () -> assertFalse(coalescer.holdLonger(false, CHECKED)));
        if (state.endsWith("_TIMED")) {
            check(state, checkReleases, () -> assertFalse(coalescer.holdLonger(true, EXPIRED)));
        } else {
            // the time begins with the first check
            check(state, checkHolds, () -> assertTrue(coalescer.holdLonger(true, EXPIRED)));
        }
        check(state, "NONE", coalescer::ackSent);
        check(state, "NONE", coalescer::clear);
    }

    private void check(String state, String next, Runnable event) throws ReflectiveOperationException {
        if (!next.equals("-")) {
            coalescer.clear();
            alternate();
            reach(state);
            event.run();
            assertEquals(next, state());
            boolean held = next.startsWith("HELD");
            assertEquals(held, coalescer.isHeld());
            assertEquals(!next.equals("NONE"), coalescer.isDue());
        }
    }

    /**
     * A request releases the ACK for one of three reasons. The columns are whether a thread polls, the alternations
     * that precede, the messages that are to be acknowledged, and whether the ACK may be sent with the request.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            true,  16, 1, false
            true,  16, 2, false
            true,  16, 3, false
            true,  16, 4, true
            true,  16, 5, true
            true,  15, 1, true
            true,  0,  1, true
            true,  17, 1, false
            false, 16, 1, true
            false, 99, 1, true
            """)
    void aRequestReleasesTheAckWithoutAPollEnoughAlternationsOrRoom(boolean polls, int alternations, int messages,
            boolean released) throws ReflectiveOperationException {
        for (int i = 0; i < alternations; i++) {
            coalescer.messageArrived(true);
            coalescer.ackWithRequest();
            coalescer.ackSent();
        }
        if (polls) {
            coalescer.polled();
        }
        for (int i = 0; i < messages; i++) {
            coalescer.messageArrived(true);
        }
        assertEquals(released, coalescer.ackWithRequest());
        assertEquals(released ? "OFFERED" : "HELD", state());
    }

    /** The columns are the messages to acknowledge when a held ACK is checked, and the state after the check. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            1, HELD_TIMED
            2, HELD_NEW_TIMED
            3, HELD_NEW_TIMED
            4, NEW
            5, NEW
            """)
    void aCheckReleasesTheAckOfFourMessages(int messages, String next) throws ReflectiveOperationException {
        alternate();
        reach("HELD");
        for (int i = 1; i < messages; i++) {
            coalescer.messageArrived(true);
        }
        assertEquals(!next.equals("NEW"), coalescer.holdLonger(true, CHECKED));
        assertEquals(next, state());
    }
}
