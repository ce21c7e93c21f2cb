package io.jverbs.ffm.abi;

import java.util.ArrayList;
import java.util.List;

/** Facts beside C's answers. */
final class Comparison {

    private Comparison() {}

    /** One line for each fact that C contradicts. */
    static List<String> differences(List<Fact> facts, long[] answers) {
        var differences = new ArrayList<String>();
        for (int i = 0; i < answers.length; i++) {
            var fact = facts.get(i);
            if (!fact.agrees(answers[i])) {
                differences
                        .add(fact.expression() + " is " + answers[i] + " in C, and was generated as " + fact.value());
            }
        }
        return differences;
    }
}
