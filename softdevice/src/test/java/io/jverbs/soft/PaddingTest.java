package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

/**
 * Fields that one thread writes continually share no cache line with what other threads read: neither with other fields
 * of the object, nor with the objects before and after it in the heap. The JVM chooses the order of fields, so the test
 * inspects the layout that it has chosen.
 */
final class PaddingTest {
    /** With at least this many bytes between them, a word and another field share no cache line. */
    private static final long APART = 64 - Long.BYTES;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"queue.SpinLock, word", "queue.CompletionRing, taken", "queue.CompletionRing, put takenSeen",
        "queue.ReceiveRing, taken postedSeen recorded shift runCount", "queue.ReceiveRing, posted freed freedRun",
        "queue.ReceiveWqe, number wrId sgeCount", "transport.local.LocalRcResponder, position packetOffset bytes",
        "transport.rc.RcResponder, position packetOffset bytes"})
    void frequentlyWrittenFieldsShareNoCacheLine(String className, String names) throws ClassNotFoundException {
        ClassLayout layout = ClassLayout.parseClass(Class.forName("io.jverbs.soft." + className));
        Set<String> hot = Set.of(names.split(" "));
        List<FieldLayout> words = layout.fields().stream().filter(field -> hot.contains(field.name())).toList();
        assertEquals(hot.size(), words.size(), layout::toPrintable);
        long from = words.stream().mapToLong(FieldLayout::offset).min().orElseThrow();
        long to = words.stream().mapToLong(PaddingTest::end).max().orElseThrow();
        assertTrue(from - layout.headerSize() >= APART && layout.instanceSize() - to >= APART, layout::toPrintable);
        for (FieldLayout field : layout.fields()) {
            boolean padding = field.name().matches("[pq]\\d+");
            assertTrue(padding || hot.contains(field.name()) || field.offset() - to >= APART
                    || from - end(field) >= APART, () -> field + " may share a cache line:\n" + layout.toPrintable());
        }
    }

    private static long end(FieldLayout field) {
        return field.offset() + field.size();
    }
}
