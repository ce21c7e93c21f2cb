package io.jverbs.rsocket.datagram;

import java.util.concurrent.atomic.AtomicLongArray;

/** What a datagram socket counts; {@link RdmaDatagramCounters} has the meanings. */
enum Counter {
    SENT,
    SENT_OVER_UDP,
    RECEIVED,
    RECEIVED_OVER_UDP,
    DROPPED_HEADERS,
    DROPPED_ADDRESSES,
    DROPPED_STRANGERS,
    DROPPED_NO_ROOM,
    DROPPED_NO_ROUTE,
    FAILED_RESOLUTIONS,
    FAILED_SENDS;

    /** The values of all counters. Thread-safe. */
    static final class Values {
        private final AtomicLongArray counts = new AtomicLongArray(values().length);

        void add(Counter counter) {
            counts.getAndIncrement(counter.ordinal());
        }

        private long get(Counter counter) {
            return counts.get(counter.ordinal());
        }

        RdmaDatagramCounters snapshot() {
            return new RdmaDatagramCounters(get(SENT), get(SENT_OVER_UDP), get(RECEIVED), get(RECEIVED_OVER_UDP),
                    get(DROPPED_HEADERS), get(DROPPED_ADDRESSES), get(DROPPED_STRANGERS), get(DROPPED_NO_ROOM),
                    get(DROPPED_NO_ROUTE), get(FAILED_RESOLUTIONS), get(FAILED_SENDS));
        }
    }
}
