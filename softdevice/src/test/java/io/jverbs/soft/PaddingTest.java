package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What one thread writes all the time shares no cache line with what others read: neither with other fields, nor with the object
 * that happens to lie before or behind it in the heap. The JVM orders fields as it likes, so this looks at what it has done.
 */
final class PaddingTest {
    /** As many bytes from the start of a word to the last one that can be in its cache line. */
    private static final long APART = 64 - Long.BYTES;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"queue.SpinLock, word", "queue.CompletionRing, taken", "queue.CompletionRing, put takenSeen",
        "queue.ReceiveRing, taken postedSeen", "queue.ReceiveRing, posted takenSeen",
        "queue.ReceiveWqe, number wrId sgeCount", "transport.RcResponder, position besides bytes"})
    void hotWordsAreAlone(String className, String names) throws ClassNotFoundException {
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
                    || from - end(field) >= APART, () -> field + " is near:\n" + layout.toPrintable());
        }
    }

    private static long end(FieldLayout field) {
        return field.offset() + field.size();
    }
}
