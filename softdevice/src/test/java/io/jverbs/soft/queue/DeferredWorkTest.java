package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which order deferred work is performed, how often, and what happens if it fails. */
final class DeferredWorkTest {
    private final DeferredWork.DeferredQueue queue = new DeferredWork.DeferredQueue();
    private final List<String> performed = new ArrayList<>();
    /** The number of times that the work of an object still fails. */
    private final Map<String, Integer> failures = new HashMap<>();
    /** Work that an object defers while it performs its own: pairs of a name and bits. */
    private final Map<String, String> deferredMeanwhile = new HashMap<>();
    private final Map<String, Item> items = new HashMap<>();

    /** An object whose work is recorded. */
    private final class Item extends DeferredWork {
        private final String name;

        Item(String name) {
            super(queue);
            this.name = name;
        }

        @Override
        protected void perform(int bits) {
            performed.add(name + bits);
            String meanwhile = deferredMeanwhile.remove(name);
            if (meanwhile != null) {
                deferAll(meanwhile);
            }
            if (failures.merge(name, -1, Integer::sum) >= 0) {
                throw new IllegalStateException("the work fails on purpose");
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeEach
    void makeItems() {
        for (String name : List.of("a", "b", "c")) {
            items.put(name, new Item(name));
            failures.put(name, 0);
        }
    }

    /** Defers a list of pairs such as {@code a1 b2}: the name of the object and the bits. */
    private void deferAll(String pairs) {
        for (String pair : pairs.split(" ")) {
            items.get(pair.substring(0, 1)).defer(Integer.parseInt(pair.substring(1)));
        }
    }

    private String run() {
        performed.clear();
        queue.run();
        return String.join(" ", performed);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,             a1
            a1 b2 c4,       a1 b2 c4
            c4 a1 b2,       c4 a1 b2
            a1 a2,          a3
            a1 a1,          a1
            a1 b2 a4,       a5 b2
            a1 b2 a4 b1 c1, a5 b3 c1
            a0,             a0
            a1073741823,    a1073741823
            """)
    void workIsPerformedOncePerObjectInTheOrderInWhichTheObjectsWereListed(String deferred, String expected) {
        deferAll(deferred);
        assertEquals(expected, run());
        assertEquals("", run());
    }

    @Test
    void noWorkIsPerformedIfNoneWasDeferred() {
        assertEquals("", run());
    }

    /** The columns are what is deferred, what {@code a} defers while it performs its work, and what is performed. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,       b2,       a1 b2
            a1,       a2,       a1 a2
            a1 b1,    b2,       a1 b3
            a1 b1,    c2,       a1 b1 c2
            b1 a1,    b2,       b1 a1 b2
            a1 b1,    c2 a2 c4, a1 b1 c6 a2
            """)
    void workThatIsDeferredMeanwhileIsPerformedInTheSameRun(String deferred, String meanwhile, String expected) {
        deferredMeanwhile.put("a", meanwhile);
        deferAll(deferred);
        assertEquals(expected, run());
        assertEquals("", run());
    }

    /** The columns are what is deferred, how often the work of {@code a} fails, and what is performed. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,       1, a1 a1
            a1,       2, a1 a1
            a1 b2,    1, a1 b2 a1
            a1 b2,    2, a1 b2 a1
            b2 a1,    1, b2 a1 a1
            b2 a1 c3, 2, b2 a1 c3 a1
            """)
    void workThatFailsIsTriedOnceMoreAfterTheOthers(String deferred, int failing, String expected) {
        failures.put("a", failing);
        deferAll(deferred);
        assertEquals(expected, run());
        assertEquals("", run());
    }

    @Test
    void workThatIsDeferredAfterItFailedTwiceIsTriedTwiceAgain() {
        failures.put("a", 4);
        deferAll("a1");
        assertEquals("a1 a1", run());
        deferAll("a2");
        assertEquals("a2 a2", run());
        deferAll("a4");
        assertEquals("a4", run());
    }

    /** The bits of a failed attempt and those that were deferred during it are performed together. */
    @Test
    void workThatWasDeferredDuringAFailedAttemptIsPerformedWithTheRetry() {
        failures.put("a", 1);
        deferredMeanwhile.put("a", "a2");
        deferAll("a1");
        assertEquals("a1 a3", run());
    }
}
