package io.jverbs.samples.tour;

import org.HdrHistogram.Histogram;

/** What came of a stop. */
sealed interface Outcome {

    /**
     * All was as it should be.
     *
     * @param latency of each iteration that was timed, in nanoseconds
     * @param nanos the sum of the latencies
     * @param checked how many iterations were checked, those of the warm-up included
     * @param spoilt how many came to nothing because of what the network did to their packets, those of the warm-up included
     */
    record Done(Histogram latency, long nanos, long checked, long spoilt) implements Outcome {
        long percentile(double percentile) {
            return latency.getValueAtPercentile(percentile);
        }

        /** {@return the same, with the iterations of the warm-up counted as checked} */
        Done after(Done warmUp) {
            return new Done(latency, nanos, checked + warmUp.checked, spoilt + warmUp.spoilt);
        }

        /** {@return how many iterations there were} */
        long tried() {
            return checked + spoilt;
        }

        /** {@return operations a second, one at a time} */
        double rate() {
            return latency.getTotalCount() * 1e9 / Math.max(1, nanos);
        }
    }

    /**
     * The device does not have what it takes.
     *
     * @param reason what it lacks
     */
    record Skipped(String reason) implements Outcome {}

    /**
     * Something was not as it should be.
     *
     * @param cause says what
     */
    record Wrong(RuntimeException cause) implements Outcome {}
}
