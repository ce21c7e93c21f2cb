package io.jverbs.ffm.abi;

import java.util.ArrayList;
import java.util.List;

/** Compares facts with the values that the C compiler computed. */
final class Comparison {

    private Comparison() {}

    /** Returns one line for each fact whose value differs in C. */
    static List<String> differences(List<Fact> facts, long[] values) {
        var differences = new ArrayList<String>();
        for (int i = 0; i < values.length; i++) {
            var fact = facts.get(i);
            if (!fact.agrees(values[i])) {
                differences
                        .add(fact.expression() + " is " + values[i] + " in C, and was generated as " + fact.value());
            }
        }
        return differences;
    }
}
