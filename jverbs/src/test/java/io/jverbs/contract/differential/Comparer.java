package io.jverbs.contract.differential;

import io.jverbs.contract.differential.Outcome.CallResult;
import io.jverbs.contract.differential.Outcome.Checkpoint;
import io.jverbs.contract.differential.Outcome.Completion;
import io.jverbs.contract.differential.sequence.CallSequence;
import io.jverbs.contract.differential.sequence.Peer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds the differences between two outcomes of a sequence, except declared deviations. */
final class Comparer {

    private static final String NOTHING = "nothing";

    private final Deviations deviations;
    private final Map<Integer, String> labels = new HashMap<>();
    private final List<Difference> found = new ArrayList<>();
    /**
     * Steps whose completions cannot be compared, because a declared deviation refused what the other device accepted.
     */
    private final Set<Integer> diverged = new HashSet<>();

    private Comparer(CallSequence sequence, Deviations deviations) {
        this.deviations = deviations;
        sequence.steps().forEach(step -> labels.put(step.index(), step.label()));
    }

    static List<Difference> compare(CallSequence sequence, Outcome left, Outcome right, Deviations deviations) {
        Comparer comparer = new Comparer(sequence, deviations);
        comparer.results(left.results, right.results);
        Set<String> queues = new TreeSet<>(left.queues.keySet());
        queues.addAll(right.queues.keySet());
        for (String queue : queues) {
            comparer.queue(queue, left.queues.getOrDefault(queue, List.of()),
                    right.queues.getOrDefault(queue, List.of()));
        }
        comparer.checkpoints(left.checkpoints, right.checkpoints);
        comparer.found.sort((a, b) -> Integer.compare(a.step(), b.step()));
        return comparer.found;
    }

    /** Records a difference unless it is declared. Returns whether it is declared. */
    private boolean differs(int step, String what, String left, String right) {
        Difference difference = new Difference(step, labels.getOrDefault(step, "END"), what, left, right);
        if (deviations.countIfCovered(difference)) {
            return false;
        }
        found.add(difference);
        return true;
    }

    private void results(List<CallResult> left, List<CallResult> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            CallResult theirs = left.get(i);
            CallResult ours = right.get(i);
            if (!theirs.equals(ours) && !differs(theirs.step(), theirs.call(), theirs.value(), ours.value())) {
                diverged.add(theirs.step());
            }
        }
        if (left.size() != right.size()) {
            differs(-1, "number of calls", Integer.toString(left.size()), Integer.toString(right.size()));
        }
    }

    private void queue(String queue, List<Completion> left, List<Completion> right) {
        List<Completion> theirs = comparable(left);
        List<Completion> ours = comparable(right);
        for (int i = 0; i < Math.max(theirs.size(), ours.size()); i++) {
            Completion l = i < theirs.size() ? theirs.get(i) : null;
            Completion r = i < ours.size() ? ours.get(i) : null;
            if (l == null || r == null || l.id() != r.id()) {
                differs(l == null ? r.step() : l.step(), queue + " queue", text(l), text(r));
                return;
            }
            if (l.status() != r.status()) {
                if (differs(l.step(), queue + " status", l.status().name(), r.status().name())) {
                    return;
                }
            } else if (!l.details().equals(r.details()) && differs(l.step(), queue + " details", l.details(),
                    r.details())) {
                return;
            }
        }
    }

    private static String text(Completion completion) {
        return completion == null ? NOTHING : completion.toString();
    }

    private List<Completion> comparable(List<Completion> all) {
        return all.stream().filter(completion -> !diverged.contains(completion.step())).toList();
    }

    private void checkpoints(List<Checkpoint> left, List<Checkpoint> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            Checkpoint l = left.get(i);
            Checkpoint r = right.get(i);
            if (diverged.contains(l.step())) {
                continue;
            }
            for (Peer peer : Peer.values()) {
                if (l.states().get(peer) != r.states().get(peer) && differs(l.step(), peer + " state",
                        l.states().get(peer).name(), r.states().get(peer).name())) {
                    return;
                }
            }
            if (!l.events().equals(r.events())
                    && differs(l.step(), "events", l.events().toString(), r.events().toString())) {
                return;
            }
            int at = Arrays.mismatch(l.memory(), r.memory());
            if (at >= 0 && differs(l.step(), "memory", "byte " + at + " is " + l.memory()[at],
                    "byte " + at + " is " + r.memory()[at])) {
                return;
            }
        }
    }
}
