package io.jverbs.strict.tracking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Tests that overlaps of counted ranges equal those found with a count for each address, while ranges are added and
 * removed.
 */
final class CountedRangesTest {
    private static final int SPACE = 64;
    /** Addresses are unsigned: some of these are negative as a {@code long}. */
    private static final long BASE = Long.MAX_VALUE - SPACE / 2;

    private final CountedRanges ranges = new CountedRanges();
    private final int[] counts = new int[SPACE];

    /** Decodes a range from a number: the start of the range. */
    private static int from(int code) {
        return code / SPACE;
    }

    private static int length(int code) {
        return Math.min(code % SPACE / 4, SPACE - from(code));
    }

    private void count(int code, int by) {
        for (int i = 0; i < length(code); i++) {
            counts[from(code) + i] += by;
        }
    }

    private boolean isCounted(int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (counts[i] > 0) {
                return true;
            }
        }
        return false;
    }

    private void checkAll() {
        for (int from = 0; from < SPACE; from++) {
            for (int length = 0; length <= SPACE - from; length++) {
                String range = from + "+" + length;
                assertEquals(isCounted(from, length), ranges.overlaps(BASE + from, length), range);
            }
        }
    }

    @Property
    void overlapsMatchACountForEachAddress(
            @ForAll @Size(max = 12) List<@IntRange(max = SPACE * SPACE - 1) Integer> codes,
            @ForAll @IntRange(max = 12) int removed) {
        for (int code : codes) {
            ranges.add(BASE + from(code), length(code));
            count(code, 1);
        }
        checkAll();
        for (int code : codes.subList(0, Math.min(removed, codes.size()))) {
            ranges.remove(BASE + from(code), length(code));
            count(code, -1);
        }
        checkAll();
        for (int code : codes.subList(Math.min(removed, codes.size()), codes.size())) {
            ranges.remove(BASE + from(code), length(code));
            count(code, -1);
        }
        assertEquals(0, ranges.size());
    }
}
