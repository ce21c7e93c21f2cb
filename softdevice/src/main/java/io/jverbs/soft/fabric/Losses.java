package io.jverbs.soft.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Judges of packets that arrive at a port; never changed.
 *
 * @param filters each tells by the number of the queue pair whether a packet is lost
 */
record Losses(List<IntPredicate> filters) {

    /** With one more. */
    static Losses with(Losses present, IntPredicate filter) {
        List<IntPredicate> all = new ArrayList<>(present == null ? List.of() : present.filters);
        all.add(filter);
        return new Losses(List.copyOf(all));
    }

    /** Without one; null if none is left. */
    static Losses without(Losses present, IntPredicate filter) {
        List<IntPredicate> all = new ArrayList<>(present == null ? List.of() : present.filters);
        all.remove(filter);
        return all.isEmpty() ? null : new Losses(List.copyOf(all));
    }

    /** Asks all of them, as each counts what arrives. */
    boolean lose(int qpn) {
        boolean lost = false;
        for (IntPredicate filter : filters) {
            lost |= filter.test(qpn);
        }
        return lost;
    }
}
