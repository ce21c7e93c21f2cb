package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.WorkCompletions;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Concurrent polls of a completion queue, and polls concurrent with posts and resizes. */
public final class Polling {

    private Polling() {}

    /** A pair whose left completion queue, with two entries, holds the completions 1 and 2. */
    private abstract static class TwoCompletions {
        final ConnectedPair pair = ConnectedPair.take();

        TwoCompletions() {
            post(1);
            post(2);
        }

        final void post(int wrId) {
            pair.left.postSend(pair.write(Long.BYTES).wrId(wrId));
        }

        /** Polls once; returns the wr_id of the completion, 0 if there is none. */
        final long poll(WorkCompletions into) {
            return pair.leftCq.poll(into, 1) == 0 ? 0 : into.wrId(0);
        }
    }

    /** Two threads poll. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "Each completion was polled exactly once.")
    @Outcome(expect = FORBIDDEN, desc = "A completion was polled twice or not at all.")
    @State
    public static class EachCompletionIsPolledOnce extends TwoCompletions {

        @Actor
        public void one(JJ_Result result) {
            result.r1 = poll(pair.first);
        }

        @Actor
        public void other(JJ_Result result) {
            result.r2 = poll(pair.second);
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }

    /**
     * One thread polls while another polls and adds a completion, so that the ring wraps around. The queue is never
     * empty.
     */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "Both polls returned a completion.")
    @Outcome(expect = FORBIDDEN, desc = "A poll of the non-empty queue returned nothing.")
    @State
    public static class PollOfANonEmptyQueueReturnsACompletion extends TwoCompletions {

        @Actor
        public void pollAndPost(JJ_Result result) {
            result.r1 = poll(pair.first);
            post(3);
        }

        @Actor
        public void poller(JJ_Result result) {
            result.r2 = poll(pair.second);
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }

    /** The queue is resized while a completion is added and the queue is polled. */
    @JCStressTest
    @Outcome(id = "1, 23", expect = ACCEPTABLE, desc = "All completions were kept in order.")
    @Outcome(expect = FORBIDDEN, desc = "The resize lost or reordered completions.")
    @State
    public static class ResizeKeepsCompletionsInOrder extends TwoCompletions {

        @Actor
        public void pollAndPost(JJ_Result result) {
            result.r1 = poll(pair.first);
            post(3);
        }

        @Actor
        public void resizer() {
            pair.leftCq.resize(4);
        }

        @Arbiter
        public void end(JJ_Result result) {
            for (long next = poll(pair.first); next != 0; next = poll(pair.first)) {
                result.r2 = 10 * result.r2 + next;
            }
            pair.leftCq.resize(2);
            pair.release();
        }
    }
}
