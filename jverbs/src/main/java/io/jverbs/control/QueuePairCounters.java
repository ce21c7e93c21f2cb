package io.jverbs.control;

import io.jverbs.QpState;
import io.jverbs.QpType;
import java.util.Map;
import java.util.Objects;

/**
 * A snapshot of a queue pair: its state, and its counters since it was created. Immutable.
 *
 * @param number its number, 24 bits
 * @param type its type
 * @param state its state
 * @param peer the number of the queue pair that it is connected to; 0 if it is not connected or its type has no
 * connection
 * @param counters an unmodifiable map from names to values. All values are of the same moment, except those of error
 *        counters. {@code sent_msgs}, {@code sent_pkts}, {@code sent_bytes}, {@code rcvd_pkts} and {@code rcvd_bytes}
 *        are always present. Other counters are present if they are not 0. Names and meanings are those of {@link
 *        DeviceCounters}
 */
public record QueuePairCounters(int number, QpType type, QpState state, int peer, Map<String, Long> counters) {
    /** Makes the map unmodifiable. */
    public QueuePairCounters {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(state, "state");
        counters = Map.copyOf(Objects.requireNonNull(counters, "counters"));
    }
}
