package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which number an object gets, and in which slot it is found while the table grows. */
final class DirectTableTest {
    private static final int INITIAL_SLOTS = 64;
    private static final int NUMBERS = 1 << 24;

    private final DirectTable<Entry> table = new DirectTable<>();

    private record Entry(int number) implements DirectTable.Numbered {}

    /** Draws the numbers of a list, one after the other. */
    private static IntSupplier candidates(int... numbers) {
        return IntStream.of(numbers).iterator()::nextInt;
    }

    private Entry add(int... drawn) {
        return table.add(candidates(drawn), Entry::new);
    }

    private Entry find(int number) {
        Entry found = table.inSlotOf(number);
        return found != null && found.number() == number ? found : null;
    }

    /** The table holds the number 5. The columns are the numbers that are drawn, and the one that is taken. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            6,             6
            0,             0
            16777215,      16777215
            5 6,           6
            69 6,          6
            69 133 5 70 6, 70
            """)
    void anObjectGetsTheFirstNumberDrawnWhoseSlotIsFree(String drawn, int number) {
        Entry five = add(5);
        Entry added = add(IntStream.of(parse(drawn)).toArray());
        assertEquals(number, added.number());
        assertSame(added, find(number));
        assertSame(five, find(5));
        assertEquals(2, table.size());
    }

    private static int[] parse(String numbers) {
        return List.of(numbers.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    }

    @Test
    void aLookupReturnsTheObjectOfTheSlotWhichMayHaveAnotherNumber() {
        Entry added = add(5);
        assertSame(added, table.inSlotOf(5 + INITIAL_SLOTS));
        assertNull(find(5 + INITIAL_SLOTS));
        assertNull(table.inSlotOf(6));
    }

    @Test
    void noObjectIsAddedIfNoDrawFindsAFreeSlot() {
        add(5);
        assertNull(table.add(() -> 5, Entry::new));
        assertEquals(1, table.size());
    }

    /** The columns are the objects in the table and the number of slots, seen from the slot that 1 &lt;&lt; 20 has. */
    @ParameterizedTest
    @CsvSource({"32, 64", "33, 128", "64, 128", "65, 256", "128, 256", "129, 512"})
    void theTableDoublesBeforeMoreThanHalfOfItsSlotsAreUsed(int objects, int slots) {
        for (int number = 0; number < objects; number++) {
            add(number);
        }
        Entry first = find(0);
        for (int distance = INITIAL_SLOTS; distance < slots; distance *= 2) {
            assertEquals(distance < objects ? find(distance) : null, table.inSlotOf(distance), "slots " + distance);
        }
        assertSame(first, table.inSlotOf(slots));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyObjectIsFoundByItsNumberWhateverElseIsAddedReplacedAndRemoved(long seed) {
        Random random = new Random(seed);
        List<Entry> model = new ArrayList<>();
        for (int step = 0; step < 5000; step++) {
            int index = model.isEmpty() ? 0 : random.nextInt(model.size());
            switch (model.isEmpty() ? 0 : random.nextInt(4)) {
                case 0, 1 -> model.add(table.add(() -> random.nextInt(NUMBERS), Entry::new));
                case 2 -> {
                    Entry former = model.remove(index);
                    assertTrue(table.remove(former));
                    assertNull(find(former.number()));
                    assertFalse(table.remove(former));
                }
                default -> {
                    Entry replacement = new Entry(model.get(index).number());
                    table.replace(replacement.number(), replacement);
                    model.set(index, replacement);
                }
            }
            assertEquals(model.size(), table.size());
        }
        model.forEach(entry -> assertSame(entry, find(entry.number())));
        assertEquals(new HashSet<>(model), new HashSet<>(table.all()));
    }
}
