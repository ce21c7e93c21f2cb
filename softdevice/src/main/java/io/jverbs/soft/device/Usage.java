package io.jverbs.soft.device;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Counts the objects of a device by kind, and enforces its limits. Thread-safe. */
final class Usage {

    /** A kind of object that is counted. Regions and windows are counted by the key table, contexts by the device. */
    enum Kind {
        PD("alloc_pd", Limits.MAX_PD, "protection domains"),
        CQ("create_cq", Limits.MAX_CQ, "completion queues"),
        QP(
                "create_qp", Limits.MAX_QP, "queue pairs"),
        SRQ("create_srq", Limits.MAX_SRQ,
                "shared receive queues"),
        AH("create_ah", Limits.MAX_AH, "address handles");

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

    /** Counts one more object; throws ENOMEM if the limit is reached. */
    void claim(Kind kind) {
        AtomicInteger count = counts[kind.ordinal()];
        if (count.getAndUpdate(present -> Math.min(present + 1, kind.max)) == kind.max) {
            throw Limits.exhausted(kind.operation, kind.max, kind.plural);
        }
    }

    /**
     * Counts one more object and creates it. If the creation throws, the object is not counted and the exception is
     * rethrown.
     *
     * @param kind the kind of the object
     * @param maker creates the object
     */
    <T> T claim(Kind kind, Supplier<T> maker) {
        claim(kind);
        try {
            return maker.get();
        } catch (RuntimeException | Error e) {
            release(kind);
            throw e;
        }
    }

    /** Returns the number of objects by kind, with the names that {@code rdma resource} uses. */
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
