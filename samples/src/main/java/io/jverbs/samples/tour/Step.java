package io.jverbs.samples.tour;

import io.jverbs.QpType;
import io.jverbs.samples.tour.operation.Operation;
import io.jverbs.samples.tour.operation.Sides;
import java.util.function.BiFunction;

/**
 * A step of the tour, one line of the table: an operation with payloads of one size.
 *
 * @param name the name of the operation
 * @param type the type of the queue pairs
 * @param size the length of the payload in bytes
 * @param remark the text to print instead of the throughput; empty to print the throughput
 * @param factory creates the operation, given both sides and the largest payload
 */
record Step(String name, QpType type, int size, String remark, BiFunction<Sides, Integer, Operation> factory) {

    /**
     * {@return whether network faults may make this step fail: unreliable operations, and the access error, as a NAK is
     * not retransmitted}
     */
    boolean mayFailWithFaults() {
        return type != QpType.RC || !remark.isEmpty();
    }

    @Override
    public String toString() {
        return type + " " + name + ", " + size + " bytes";
    }
}
