package io.jverbs.contract.differential;

import java.util.List;
import java.util.stream.Collectors;

/** A sequence of verbs calls, all of it made from its seed. */
record Sequence(long seed, Setup setup, List<Step> steps) {

    /** The same with some of its steps. */
    Sequence only(List<Step> some) {
        return new Sequence(seed, setup, List.copyOf(some));
    }

    /** Indices of the steps, as {@code --steps} takes them. */
    String indices() {
        return steps.stream().map(step -> Integer.toString(step.index())).collect(Collectors.joining(","));
    }

    String text() {
        StringBuilder text = new StringBuilder("  " + setup + "\n");
        for (Step step : steps) {
            text.append("  ").append(step.index()).append(' ').append(step.label()).append('\n');
            step.actions().forEach(action -> text.append("      ").append(action).append('\n'));
        }
        return text.toString();
    }
}
