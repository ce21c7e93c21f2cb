package io.jverbs.contract.differential;

import io.jverbs.WrOpcode;
import io.jverbs.contract.differential.sequence.CallSequence;
import io.jverbs.contract.differential.sequence.Fault;
import io.jverbs.contract.differential.sequence.Step;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Statistics of a run: how often each type, opcode, step and status occurred. */
final class Distribution {

    /** Number of completions from which a sequence counts as long. */
    private static final int LONG = 10;
    /** Least share of long sequences in a run, in percent. */
    private static final int LONG_SHARE = 30;
    /** Least number of occurrences of each opcode, row and fault. */
    private static final int LEAST = 20;

    private static final List<WrOpcode> OPCODES = List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP,
            WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.LOCAL_INV, WrOpcode.BIND_MW, WrOpcode.SEND_WITH_INV);

    private final Map<String, Integer> types = new TreeMap<>();
    private final Map<String, Integer> opcodes = new TreeMap<>();
    private final Map<Fault.Row, Integer> rows = new EnumMap<>(Fault.Row.class);
    private final Map<String, Integer> labels = new TreeMap<>();
    private final Map<String, Integer> statuses = new TreeMap<>();
    private int sequences;
    private int longOnes;
    private long completions;

    Distribution() {
        for (Fault.Row row : Fault.Row.values()) {
            rows.put(row, 0);
        }
        OPCODES.forEach(opcode -> opcodes.put(opcode.name(), 0));
    }

    void add(CallSequence sequence, Outcome outcome) {
        sequences++;
        types.merge(sequence.setup().type().name(), 1, Integer::sum);
        completions += outcome.completions();
        if (outcome.completions() >= LONG) {
            longOnes++;
        }
        outcome.posted.forEach((opcode, count) -> opcodes.merge(opcode, count, Integer::sum));
        outcome.queues.values().forEach(
                list -> list.forEach(completion -> statuses.merge(completion.status().name(), 1, Integer::sum)));
        for (Step step : sequence.steps()) {
            labels.merge(step.label(), 1, Integer::sum);
            for (Fault fault : Fault.values()) {
                if (fault.name().equals(step.label())) {
                    rows.merge(fault.row, 1, Integer::sum);
                }
            }
        }
    }

    private int share() {
        return sequences == 0 ? 0 : 100 * longOnes / sequences;
    }

    String text() {
        return "sequences " + sequences + " " + types + ", " + completions + " completions, " + share()
                + " % of the sequences with " + LONG + " or more\n"
                + "statuses " + statuses + "\nopcodes " + opcodes + "\nrows " + rows + "\nsteps " + labels;
    }

    /** Returns what occurred too rarely for the run to be meaningful. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (share() < LONG_SHARE) {
            missing.add("only " + share() + " % of the sequences have " + LONG + " completions");
        }
        opcodes.forEach((opcode, count) -> tooFew(opcode, count, missing));
        rows.forEach((row, count) -> tooFew("row " + row, count, missing));
        for (Fault fault : Fault.values()) {
            if (labels.containsKey(fault.name())) {
                tooFew("fault " + fault, labels.get(fault.name()), missing);
            }
        }
        return missing;
    }

    private static void tooFew(String what, int count, List<String> missing) {
        if (count < LEAST) {
            missing.add(what + " occurs " + count + " times, fewer than " + LEAST);
        }
    }
}
