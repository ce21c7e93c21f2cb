package io.jverbs.contract.differential;

import io.jverbs.contract.differential.sequence.CallSequence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs sequences on two devices, one device after the other, and collects the differences. */
final class Campaign {

    /**
     * A kind of difference.
     *
     * @param all the differences of the smallest sequence that shows it
     * @param smallest that sequence
     * @param count number of sequences that show it
     */
    record Finding(List<Difference> all, CallSequence smallest, int count) {

        String text() {
            return all.getFirst() + "\n" + all.stream().skip(1).limit(6).map(other -> "  then " + other + "\n")
                    .collect(Collectors.joining()) + "  replay: --sequences 1 --seed " + smallest.seed()
                    + (smallest.steps().isEmpty() ? "" : " --steps " + smallest.indices()) + "\n" + smallest.text();
        }
    }

    private final Device left;
    private final Device right;
    private final Deviations deviations;
    private final int shrunk;
    private final Map<String, Finding> findings = new LinkedHashMap<>();
    private final Distribution distribution = new Distribution();
    private int differing;
    private long leftNanos;
    private long rightNanos;

    /** @param shrunk number of kinds of differences to shrink, because shrinking takes many runs */
    Campaign(Device left, Device right, Deviations deviations, int shrunk) {
        this.left = left;
        this.right = right;
        this.deviations = deviations;
        this.shrunk = shrunk;
    }

    /** Runs one sequence, and returns the differences between the devices. */
    List<Difference> run(CallSequence sequence) {
        Outcome theirs = runLeft(sequence);
        distribution.add(sequence, theirs);
        List<Difference> differences = compare(sequence, theirs);
        if (!differences.isEmpty()) {
            differing++;
            collect(sequence, differences);
        }
        return differences;
    }

    private List<Difference> compare(CallSequence sequence, Outcome theirs) {
        long start = System.nanoTime();
        Outcome ours = Runner.run(right, sequence, theirs, deviations);
        rightNanos += System.nanoTime() - start;
        return Comparer.compare(sequence, theirs, ours, deviations);
    }

    private Outcome runLeft(CallSequence sequence) {
        long start = System.nanoTime();
        Outcome theirs = Runner.run(left, sequence);
        leftNanos += System.nanoTime() - start;
        return theirs;
    }

    /** Returns the time that each device took. */
    String times() {
        return "left " + TimeUnit.NANOSECONDS.toMillis(leftNanos) + " ms, right "
                + TimeUnit.NANOSECONDS.toMillis(rightNanos) + " ms";
    }

    private void collect(CallSequence sequence, List<Difference> differences) {
        String kind = differences.getFirst().kind();
        Finding known = findings.get(kind);
        if (known != null) {
            findings.put(kind, new Finding(known.all(), known.smallest(), known.count() + 1));
            return;
        }
        CallSequence smallest = findings.size() >= shrunk
                ? sequence
                : Shrinker.shrink(sequence, candidate -> shows(candidate, kind));
        findings.put(kind, new Finding(differences, smallest, 1));
    }

    private boolean shows(CallSequence candidate, String kind) {
        return compare(candidate, runLeft(candidate)).stream().anyMatch(seen -> seen.kind().equals(kind));
    }

    Map<String, Finding> findings() {
        return findings;
    }

    Finding latest() {
        return List.copyOf(findings.values()).getLast();
    }

    Distribution distribution() {
        return distribution;
    }

    int differing() {
        return differing;
    }
}
