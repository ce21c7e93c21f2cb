package io.jverbs.soft.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The filters that decide which of the packets that arrive at a port are lost. Immutable.
 *
 * @param filters each decides, by the number of the destination queue pair, whether a packet is lost
 */
record LossFilters(List<IntPredicate> filters) {

    /** Returns filters with one more; {@code present} may be null. */
    static LossFilters with(LossFilters present, IntPredicate filter) {
        List<IntPredicate> all = new ArrayList<>(present == null ? List.of() : present.filters);
        all.add(filter);
        return new LossFilters(List.copyOf(all));
    }

    /** Returns filters without one; null if none is left. */
    static LossFilters without(LossFilters present, IntPredicate filter) {
        List<IntPredicate> all = new ArrayList<>(present == null ? List.of() : present.filters);
        all.remove(filter);
        return all.isEmpty() ? null : new LossFilters(List.copyOf(all));
    }

    /** Returns whether any filter decides that a packet is lost. All filters are called, as each counts packets. */
    boolean isLost(int qpn) {
        boolean lost = false;
        for (IntPredicate filter : filters) {
            lost |= filter.test(qpn);
        }
        return lost;
    }
}
