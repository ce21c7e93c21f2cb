package io.jverbs.contract.differential;

/**
 * Something that two devices did differently.
 *
 * @param step  index of the step
 * @param label what the step is about
 * @param what  {@code A state}, {@code B receive status}, {@code memory}, ...
 */
record Difference(int step, String label, String what, String left, String right) {

    /** The same for differences that are likely one and the same. */
    String kind() {
        return label + " | " + what + " | " + left.replaceAll("[0-9]+", "n") + " | " + right.replaceAll("[0-9]+", "n");
    }

    @Override
    public String toString() {
        return "step " + step + " (" + label + "), " + what + ": " + left + " / " + right;
    }
}
