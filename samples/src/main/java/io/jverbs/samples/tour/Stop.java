package io.jverbs.samples.tour;

import io.jverbs.QpType;
import java.util.function.BiFunction;

/**
 * One line of the tour: an operation with payloads of one size.
 *
 * @param name what is done
 * @param type the transport service
 * @param size the bytes of a payload
 * @param remark what to print where a throughput says nothing, empty otherwise
 * @param factory makes the operation, given both sides and the largest payload
 */
record Stop(String name, QpType type, int size, String remark, BiFunction<Sides, Integer, Operation> factory) {

    /** {@return whether it may fail on a network with faults: what is unreliable, and a refusal, which is not sent again} */
    boolean isFragile() {
        return type != QpType.RC || !remark.isEmpty();
    }

    @Override
    public String toString() {
        return type + " " + name + ", " + size + " bytes";
    }
}
