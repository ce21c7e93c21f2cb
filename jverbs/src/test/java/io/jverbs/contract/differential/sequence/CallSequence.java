package io.jverbs.contract.differential.sequence;

import java.util.List;
import java.util.stream.Collectors;

/** A sequence of verbs calls. Its seed determines all of it. */
public record CallSequence(long seed, Setup setup, List<Step> steps) {

    /** Returns the same sequence with only some of its steps. */
    public CallSequence only(List<Step> some) {
        return new CallSequence(seed, setup, List.copyOf(some));
    }

    /** Returns the indices of the steps, as {@code --steps} takes them. */
    public String indices() {
        return steps.stream().map(step -> Integer.toString(step.index())).collect(Collectors.joining(","));
    }

    public String text() {
        StringBuilder text = new StringBuilder("  " + setup + "\n");
        for (Step step : steps) {
            text.append("  ").append(step.index()).append(' ').append(step.label()).append('\n');
            step.actions().forEach(action -> text.append("      ").append(action).append('\n'));
        }
        return text.toString();
    }
}
