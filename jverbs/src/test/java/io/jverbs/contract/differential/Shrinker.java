package io.jverbs.contract.differential;

import io.jverbs.contract.differential.sequence.CallSequence;
import io.jverbs.contract.differential.sequence.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Removes steps from a sequence as long as the difference remains. */
final class Shrinker {

    private Shrinker() {}

    /** @param remains whether a shorter sequence still shows the difference */
    static CallSequence shrink(CallSequence sequence, Predicate<CallSequence> remains) {
        CallSequence smallest = sequence;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Step step : smallest.steps()) {
                List<Step> rest = new ArrayList<>(smallest.steps());
                rest.remove(step);
                CallSequence candidate = smallest.only(rest);
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
