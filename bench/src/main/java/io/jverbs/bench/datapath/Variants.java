package io.jverbs.bench.datapath;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import java.util.function.Supplier;

/** Requests of one kind that are signaled rarely, or posted as a list. */
final class Variants {
    static final int MANY = 16;

    private final Loopback loop;
    private final SendWorkRequest silent;
    private final SendWorkRequest signaled;
    private final SendWorkRequest list;
    private final WorkCompletions completions = WorkCompletions.create(MANY);
    private int posted;

    /** Requests as they are made, which are signaled. */
    Variants(Loopback loop, Supplier<SendWorkRequest> made) {
        this.loop = loop;
        silent = made.get().flags(0);
        signaled = made.get().flags(SendFlags.SIGNALED);
        SendWorkRequest next = null;
        for (int i = 0; i < MANY; i++) {
            next = made.get().next(next);
        }
        list = next;
    }

    /** Posts a request; true if it is the one in 16 that is signaled. */
    boolean postNext() {
        posted = posted + 1 & MANY - 1;
        boolean last = posted == 0;
        loop.qp().postSend(last ? signaled : silent);
        return last;
    }

    /** The first of 16 requests, each signaled. */
    SendWorkRequest list() {
        return list;
    }

    /** For polls of 16. */
    WorkCompletions completions() {
        return completions;
    }
}
