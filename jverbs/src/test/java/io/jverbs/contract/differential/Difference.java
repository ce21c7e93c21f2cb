package io.jverbs.contract.differential;

/**
 * A difference between the results of two devices.
 *
 * @param step index of the step
 * @param label name of the step
 * @param what {@code A state}, {@code B receive status}, {@code memory}, ...
 */
record Difference(int step, String label, String what, String left, String right) {

    /** Returns a text that is equal for differences that probably have the same cause. */
    String kind() {
        return label + " | " + what + " | " + left.replaceAll("[0-9]+", "n") + " | " + right.replaceAll("[0-9]+", "n");
    }

    @Override
    public String toString() {
        return "step " + step + " (" + label + "), " + what + ": " + left + " / " + right;
    }
}
