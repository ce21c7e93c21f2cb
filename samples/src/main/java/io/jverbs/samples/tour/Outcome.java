package io.jverbs.samples.tour;

import org.HdrHistogram.Histogram;

/** The outcome of a step. */
sealed interface Outcome {

    /**
     * All iterations passed, except for those that failed because of network faults.
     *
     * @param latency the latencies of the timed iterations in nanoseconds
     * @param nanos the sum of the latencies
     * @param checked the number of iterations that passed, including those of the warm-up
     * @param lost the number of iterations that failed because of network faults, including those of the warm-up
     */
    record Done(Histogram latency, long nanos, long checked, long lost) implements Outcome {
        long percentile(double percentile) {
            return latency.getValueAtPercentile(percentile);
        }

        /** {@return this outcome with the iterations of the warm-up added to the counts} */
        Done after(Done warmUp) {
            return new Done(latency, nanos, checked + warmUp.checked, lost + warmUp.lost);
        }

        /** {@return the number of all iterations} */
        long tried() {
            return checked + lost;
        }

        /** {@return the operations per second, one at a time} */
        double rate() {
            return latency.getTotalCount() * 1e9 / Math.max(1, nanos);
        }
    }

    /**
     * The device does not support the operation.
     *
     * @param reason what the device lacks
     */
    record Skipped(String reason) implements Outcome {}

    /**
     * An iteration failed.
     *
     * @param cause the failure
     */
    record Failed(RuntimeException cause) implements Outcome {}
}
