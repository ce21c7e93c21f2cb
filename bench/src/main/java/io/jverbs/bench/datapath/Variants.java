package io.jverbs.bench.datapath;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import java.util.function.Supplier;

/** Requests of one kind that are rarely signaled, or posted as a list. Not thread-safe. */
final class Variants {
    static final int MANY = 16;

    private final Loopback loop;
    private final SendWorkRequest silent;
    private final SendWorkRequest signaled;
    private final SendWorkRequest list;
    private final WorkCompletions completions = WorkCompletions.create(MANY);
    private int posted;

    /**
     * Creates the requests.
     *
     * @param loop the queue pairs
     * @param factory creates signaled requests
     */
    Variants(Loopback loop, Supplier<SendWorkRequest> factory) {
        this.loop = loop;
        silent = factory.get().flags(0);
        signaled = factory.get().flags(SendFlags.SIGNALED);
        SendWorkRequest next = null;
        for (int i = 0; i < MANY; i++) {
            next = factory.get().next(next);
        }
        list = next;
    }

    /** Posts a request; returns whether it is the one in 16 that is signaled. */
    boolean postNext() {
        posted = posted + 1 & MANY - 1;
        boolean last = posted == 0;
        loop.qp().postSend(last ? signaled : silent);
        return last;
    }

    /** {@return the first of a list of 16 signaled requests} */
    SendWorkRequest list() {
        return list;
    }

    /** {@return the destination of polls of up to 16 completions} */
    WorkCompletions completions() {
        return completions;
    }
}
