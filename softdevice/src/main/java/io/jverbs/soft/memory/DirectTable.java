package io.jverbs.soft.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * A table from 24-bit numbers to objects. A lookup is one array read, whatever the number of entries, because numbers
 * are chosen so that no two of them share a slot. The slot of a number is given by its low bits, so two numbers in
 * different slots stay in different slots when the table is doubled. At most half of the slots are used, so a free
 * number is found after two random draws on average.
 *
 * <p>
 * Changes are guarded by the table's monitor. A lookup takes no lock. It returns the object in the number's slot, which
 * may be the object of another number; the caller compares the numbers. Removal and lookup are sequentially consistent;
 * {@link KeyTable} relies on this.
 *
 * @param <E> the type of the objects
 */
public final class DirectTable<E extends DirectTable.Numbered> {
    private static final int INITIAL_SLOTS = 64;
    private static final int MAX_SLOTS = 1 << 24;
    private static final int MAX_DRAWS = 10_000;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

    private volatile Object[] slots = new Object[INITIAL_SLOTS];
    private int used;

    /**
     * {@return the object in the slot of a number, which may be the object of another number, or null}
     *
     * @param number a 24-bit number
     */
    @SuppressWarnings("unchecked")
    public E inSlotOf(int number) {
        Object[] present = slots;
        return (E) SLOT.getVolatile(present, number & present.length - 1);
    }

    /**
     * Adds an object under a number whose slot is free.
     *
     * @param candidates supplies random 24-bit numbers
     * @param make makes the object for the number that was chosen
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
     * Replaces the object of a number.
     *
     * @param number a number that has an object
     * @param replacement the new object, of the same number
     */
    public synchronized void replace(int number, E replacement) {
        Object[] present = slots;
        SLOT.setVolatile(present, number & present.length - 1, replacement);
    }

    /**
     * Removes an object.
     *
     * @param object the object
     * @return whether it was in the table
     */
    public synchronized boolean remove(E object) {
        Object[] present = slots;
        int slot = object.number() & present.length - 1;
        if (present[slot] != object) {
            return false;
        }
        SLOT.setVolatile(present, slot, null);
        used--;
        return true;
    }

    /** {@return all objects, in no particular order} */
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

    /** {@return the number of objects} */
    public synchronized int size() {
        return used;
    }

    private boolean grow() {
        assert Thread.holdsLock(this);
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

    /** An object of the table. */
    public interface Numbered {
        /** {@return the number under which the object is in the table} */
        int number();
    }
}
