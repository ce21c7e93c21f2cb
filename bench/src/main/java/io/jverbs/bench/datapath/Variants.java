package io.jverbs.bench.datapath;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;

/** Requests of one kind that are signaled rarely, posted as a list, or inline. */
final class Variants {
    static final int MANY = 16;

    private final Loopback loop;
    private final SendWorkRequest silent;
    private final SendWorkRequest signaled;
    private final SendWorkRequest list;
    private final SendWorkRequest inline;
    private final WorkCompletions completions = WorkCompletions.create(MANY);
    private int posted;

    Variants(Loopback loop, WrOpcode opcode) {
        this.loop = loop;
        silent = loop.request(opcode).flags(0);
        signaled = loop.request(opcode);
        inline = loop.request(opcode).flags(SendFlags.SIGNALED | SendFlags.INLINE);
        SendWorkRequest next = null;
        for (int i = 0; i < MANY; i++) {
            next = loop.request(opcode).next(next);
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

    SendWorkRequest inline() {
        return inline;
    }

    /** For polls of 16. */
    WorkCompletions completions() {
        return completions;
    }
}
