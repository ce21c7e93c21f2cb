package io.jverbs.control;

import io.jverbs.QpState;
import io.jverbs.QpType;
import java.util.Map;

/**
 * A queue pair as it is at a moment, and what it has counted since it was made.
 *
 * @param number its number, 24 bits
 * @param type its type
 * @param state its state
 * @param peer the number of the queue pair that it is connected to, 0 if it is not, or is of no kind that is
 * @param counters an unmodifiable map from names to values, all of one moment but those of errors. {@code sent_msgs},
 *        {@code sent_pkts}, {@code sent_bytes}, {@code rcvd_pkts} and {@code rcvd_bytes} are always there, and count what
 *        {@link DeviceCounters} says. The others are there once they are not 0, under the same names as there
 */
public record QueuePairCounters(int number, QpType type, QpState state, int peer, Map<String, Long> counters) {
    /** Makes the map unmodifiable. */
    public QueuePairCounters {
        counters = Map.copyOf(counters);
    }
}
