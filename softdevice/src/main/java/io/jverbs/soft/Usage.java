package io.jverbs.soft;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** How many of each kind of object the device has, against its limits. */
final class Usage {

    /** A kind of object. */
    enum Kind {
        PD("alloc_pd", Limits.MAX_PD, "protection domains"), CQ("create_cq", Limits.MAX_CQ, "completion queues"), QP(
                "create_qp", Limits.MAX_QP, "queue pairs"), SRQ("create_srq", Limits.MAX_SRQ,
                        "shared receive queues"), AH("create_ah", Limits.MAX_AH, "address handles");

        private final String operation;
        private final int max;
        private final String plural;

        Kind(String operation, int max, String plural) {
            this.operation = operation;
            this.max = max;
            this.plural = plural;
        }
    }

    private final AtomicInteger[] counts = new AtomicInteger[Kind.values().length];

    Usage() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new AtomicInteger();
        }
    }

    /** Counts one more, or refuses. */
    void claim(Kind kind) {
        AtomicInteger count = counts[kind.ordinal()];
        if (count.getAndUpdate(present -> Math.min(present + 1, kind.max)) == kind.max) {
            throw Limits.exhausted(kind.operation, kind.max, kind.plural);
        }
    }

    /** How many there are, by the names of {@code rdma resource}. */
    Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            all.put(kind.name().toLowerCase(Locale.ROOT), (long) counts[kind.ordinal()].get());
        }
        return all;
    }

    void release(Kind kind) {
        counts[kind.ordinal()].decrementAndGet();
    }
}
