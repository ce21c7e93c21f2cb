package io.jverbs.fault;

/** The queue pairs that a {@link FaultRule} applies to. Implementations are immutable. */
public sealed interface QueuePairFilter {

    /** Every queue pair, and operations that belong to no queue pair. */
    record Any() implements QueuePairFilter {}

    /**
     * The queue pair with a number.
     *
     * @param number 0 to 2^24 - 1
     */
    record Number(int number) implements QueuePairFilter {
        /** Rejects numbers out of range. */
        public Number {
            if (number < 0 || number > 0xFF_FFFF) {
                throw new IllegalArgumentException("queue pair number " + number + " is outside 0..16777215");
            }
        }
    }

    /**
     * The nth queue pair that is created in the contexts of one {@link FaultInjection}.
     *
     * @param nth the position in the order of creation, from 1
     */
    record Created(int nth) implements QueuePairFilter {
        /** Rejects numbers below 1. */
        public Created {
            if (nth < 1) {
                throw new IllegalArgumentException("queue pair #" + nth + " does not exist: the first one is #1");
            }
        }
    }
}
