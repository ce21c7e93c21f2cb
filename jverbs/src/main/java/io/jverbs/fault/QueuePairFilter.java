package io.jverbs.fault;

/** Which queue pairs a {@link FaultRule} is about. */
public sealed interface QueuePairFilter {

    /** Every queue pair, and what belongs to none. */
    record Any() implements QueuePairFilter {}

    /**
     * The queue pair with a number.
     *
     * @param number 0 to 2^24 - 1
     */
    record Number(int number) implements QueuePairFilter {
        /** Refuses what is no queue pair number. */
        public Number {
            if (number < 0 || number > 0xFF_FFFF) {
                throw new IllegalArgumentException("queue pair number " + number + " is outside 0..16777215");
            }
        }
    }

    /**
     * The nth queue pair that is created, in the contexts that one {@link FaultInjection} stands before.
     *
     * @param nth from 1
     */
    record Created(int nth) implements QueuePairFilter {
        /** Refuses numbers below 1. */
        public Created {
            if (nth < 1) {
                throw new IllegalArgumentException("queue pair #" + nth + " is less than #1");
            }
        }
    }
}
