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
 * of the object, nor with the objects before and after it in the heap. Fields that are used together share cache lines.
 * The JVM chooses the order of fields, so the test inspects the layout that it has chosen.
 *
 * <p>
 * The requester and its protocol, which the posting thread writes, have no padding: no other thread reads their fields
 * continually, and with many queue pairs in turn, padding would cost cache lines. What the peer's thread reads is the
 * responder, which has padding, and objects that are usually elsewhere; a collector may move them. Round trips of two
 * threads after a collection were no slower with three collectors.
 */
final class PaddingTest {
    /** With at least this many bytes between them, a word and another field share no cache line. */
    private static final long APART = 64 - Long.BYTES;
    /** What the thread of a peer in the same JVM uses. */
    private static final String RESPONDER = "position packetOffset bytes configuration directAccess nakSent midMessage"
            + " qp receives settings remoteAccess sent target targets original";

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"queue.SpinLock, word", "queue.CompletionRing, taken", "queue.CompletionRing, put takenSeen",
        "queue.ReceiveRing, taken postedSeen recorded shift runCount", "queue.ReceiveRing, posted freed freedRun",
        "queue.ReceiveWqe, number wrId sgeCount", "transport.local.LocalRcResponder, " + RESPONDER,
        "transport.rc.RcResponder, " + RESPONDER})
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

    /**
     * The fields that each request of a queue pair, or each access to a region, uses are next to each other, so that a
     * program that uses many in turn has few cache misses. The last column is the most bytes from first to last.
     */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"QueuePair, openContext dataPath handle, 12",
        "soft.transport.SoftQp, queue number state requester fastPath, 32",
        "soft.transport.Requester, holdsOwn claimed lock sendCq done limit polled shift mask outstanding firstRun"
                + " endRun, 68",
        "soft.transport.local.LocalRcRequester, position sentMessages sentBytes peerGeneration directConfiguration mtu"
                + " maxMessage signalAll takesElements qp requester source directPeer peers, 68",
        "soft.transport.local.LocalRcResponder, position bytes configuration directAccess nakSent midMessage"
                + " target, 32",
        "soft.memory.KeyEntry, key domain access base length qpNumber window mapped segment users revoked, 44"})
    void fieldsThatAreUsedTogetherAreNextToEachOther(String className, String names, long bytes)
            throws ClassNotFoundException {
        ClassLayout layout = ClassLayout.parseClass(Class.forName("io.jverbs." + className));
        Set<String> used = Set.of(names.split(" "));
        List<FieldLayout> fields = layout.fields().stream().filter(field -> used.contains(field.name())).toList();
        assertTrue(fields.size() >= used.size(), layout::toPrintable);
        long from = fields.stream().mapToLong(FieldLayout::offset).min().orElseThrow();
        long to = fields.stream().mapToLong(PaddingTest::end).max().orElseThrow();
        assertTrue(to - from <= bytes, layout::toPrintable);
    }

    private static long end(FieldLayout field) {
        return field.offset() + field.size();
    }
}
