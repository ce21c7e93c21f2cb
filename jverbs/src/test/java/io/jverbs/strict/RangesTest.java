package io.jverbs.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Ranges meet what a set of single addresses meets. */
final class RangesTest {
    private static final int SPACE = 64;
    /** Addresses are unsigned: some of these are negative. */
    private static final long BASE = Long.MAX_VALUE - SPACE / 2;

    @Property
    void aSetOfRangesMeetsWhatASetOfAddressesMeets(
            @ForAll @Size(max = 12) List<@IntRange(max = SPACE * SPACE - 1) Integer> added) {
        Ranges ranges = new Ranges();
        BitSet addresses = new BitSet();
        for (int code : added) {
            int from = code / SPACE;
            int length = Math.min(code % SPACE / 4, SPACE - from);
            ranges.add(BASE + from, length);
            addresses.set(from, from + length);
        }
        for (int from = 0; from < SPACE; from++) {
            for (int length = 0; length <= SPACE - from; length++) {
                boolean meets = addresses.get(from, from + length).cardinality() > 0;
                int start = from;
                int size = length;
                assertEquals(meets, ranges.meets(BASE + from, length), () -> start + "+" + size + " of " + addresses);
            }
        }
    }
}
