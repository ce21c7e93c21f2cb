package io.jverbs.soft.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * A table from 24-bit numbers to objects whose lookup is one array read, whatever the number of entries: the numbers are
 * chosen so that no two share a slot. A slot is the low bits of the number, so that doubling the table keeps them apart. At
 * most half of the slots are used, so a random number is free after two draws on average.
 *
 * <p>
 * A lookup takes no lock and sees any number's object in the slot: the caller compares. Removal and lookup are sequentially
 * consistent, which {@link Regions} builds on.
 *
 * @param <E> the objects
 */
public final class DirectTable<E extends DirectTable.Numbered> {
    private static final int INITIAL_SLOTS = 64;
    private static final int MAX_SLOTS = 1 << 24;
    private static final int MAX_DRAWS = 10_000;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private volatile Object[] slots = new Object[INITIAL_SLOTS];
    private int used;

    /**
     * {@return what is in the slot of a number, possibly the object of another number, or null}
     *
     * @param number 24 bits
     */
    @SuppressWarnings("unchecked")
    public E inSlotOf(int number) {
        Object[] present = slots;
        return (E) SLOT.getVolatile(present, number & present.length - 1);
    }

    /**
     * Adds an object under a number whose slot is free.
     *
     * @param candidates proposes numbers of 24 bits
     * @param make makes the object for the number chosen
     * @return the object, or null if the table is full
     */
    public synchronized E add(IntSupplier candidates, IntFunction<E> make) {
        if (2 * (used + 1) > slots.length && !grow()) {
            return null;
        }
        Object[] present = slots;
        for (int draw = 0; draw < MAX_DRAWS; draw++) {
            int number = candidates.getAsInt();
            if (present[number & present.length - 1] == null) {
                E made = make.apply(number);
                SLOT.setVolatile(present, number & present.length - 1, made);
                used++;
                return made;
            }
        }
        return null;
    }

    /**
     * Puts another object in the place of a number's.
     *
     * @param number a number that has an object
     * @param replacement the new object
     */
    public synchronized void replace(int number, E replacement) {
        Object[] present = slots;
        SLOT.setVolatile(present, number & present.length - 1, replacement);
    }

    /**
     * Removes a number's object.
     *
     * @param number a number that has an object
     */
    public synchronized void remove(int number) {
        Object[] present = slots;
        SLOT.setVolatile(present, number & present.length - 1, null);
        used--;
    }

    /** {@return the objects that there are, in no order} */
    @SuppressWarnings("unchecked")
    public synchronized List<E> all() {
        List<E> all = new ArrayList<>(used);
        for (Object entry : slots) {
            if (entry != null) {
                all.add((E) entry);
            }
        }
        return all;
    }

    /** {@return how many objects there are} */
    public synchronized int size() {
        return used;
    }

    private boolean grow() {
        Object[] present = slots;
        if (present.length == MAX_SLOTS) {
            return used < MAX_SLOTS - 1;
        }
        Object[] doubled = new Object[2 * present.length];
        for (Object entry : present) {
            if (entry != null) {
                doubled[numberOf(entry) & doubled.length - 1] = entry;
            }
        }
        slots = doubled;
        return true;
    }

    private static int numberOf(Object entry) {
        return ((Numbered) entry).number();
    }

    /** What an entry of the table knows. */
    public interface Numbered {
        /** {@return the number under which the entry is kept} */
        int number();
    }
}
