package io.jverbs.contract.end.local;

import io.jverbs.CompletionQueue;
import io.jverbs.WorkCompletions;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.List;

/** Converts completions to values. */
final class Completions {

    private Completions() {}

    static Wc at(WorkCompletions wc, int i) {
        return new Wc(wc.wrId(i), wc.status(i), wc.rawStatus(i), wc.opcode(i), wc.rawOpcode(i), wc.vendorError(i),
                wc.byteLength(i), wc.immediate(i), wc.invalidatedRkey(i), wc.qpNumber(i), wc.sourceQp(i), wc.flags(i),
                wc.pkeyIndex(i), wc.slid(i), wc.serviceLevel(i), wc.dlidPathBits(i));
    }

    /** Makes one poll call. */
    static List<Wc> poll(CompletionQueue cq, WorkCompletions into, int max) {
        int count = cq.poll(into, max);
        List<Wc> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(at(into, i));
        }
        return all;
    }
}
