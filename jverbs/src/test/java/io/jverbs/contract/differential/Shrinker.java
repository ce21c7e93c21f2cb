package io.jverbs.contract.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Leaves steps out as long as what was found remains. */
final class Shrinker {

    private Shrinker() {}

    /** @param remains whether a shorter sequence still shows it */
    static Sequence shrink(Sequence sequence, Predicate<Sequence> remains) {
        Sequence smallest = sequence;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Step step : smallest.steps()) {
                List<Step> rest = new ArrayList<>(smallest.steps());
                rest.remove(step);
                Sequence candidate = smallest.only(rest);
                if (remains.test(candidate)) {
                    smallest = candidate;
                    progress = true;
                    break;
                }
            }
        }
        return smallest;
    }
}
