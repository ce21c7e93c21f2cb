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

/** Concurrent pollers, and the queue's other users. */
public final class Polling {

    private Polling() {}

    /** A link whose left completion queue, of two places, holds the completions 1 and 2. */
    private abstract static class TwoCompletions {
        final Link link = Link.take();

        TwoCompletions() {
            post(1);
            post(2);
        }

        final void post(int wrId) {
            link.left.postSend(link.write(Long.BYTES).wrId(wrId));
        }

        /** The completion that one poll gives, 0 for none. */
        final long poll(WorkCompletions into) {
            return link.leftCq.poll(into, 1) == 0 ? 0 : into.wrId(0);
        }
    }

    /** Two pollers. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "Each completion was seen once.")
    @Outcome(expect = FORBIDDEN, desc = "A completion was seen twice or not at all.")
    @State
    public static class EachCompletionIsSeenOnce extends TwoCompletions {

        @Actor
        public void one(JJ_Result result) {
            result.r1 = poll(link.seen);
        }

        @Actor
        public void other(JJ_Result result) {
            result.r2 = poll(link.seenToo);
        }

        @Arbiter
        public void end() {
            link.giveBack();
        }
    }

    /** A poller while another polls and lets the ring go round: the queue is never empty. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = ACCEPTABLE, desc = "Both found something.")
    @Outcome(expect = FORBIDDEN, desc = "A queue that was never empty looked empty.")
    @State
    public static class AQueueThatIsNeverEmptyNeverLooksEmpty extends TwoCompletions {

        @Actor
        public void pollAndPost(JJ_Result result) {
            result.r1 = poll(link.seen);
            post(3);
        }

        @Actor
        public void poller(JJ_Result result) {
            result.r2 = poll(link.seenToo);
        }

        @Arbiter
        public void end() {
            link.giveBack();
        }
    }

    /** A resize while a completion is added and the queue is polled. */
    @JCStressTest
    @Outcome(id = "1, 23", expect = ACCEPTABLE, desc = "Everything was kept, in order.")
    @Outcome(expect = FORBIDDEN, desc = "The resize lost or moved something.")
    @State
    public static class ResizingKeepsEverything extends TwoCompletions {

        @Actor
        public void pollAndPost(JJ_Result result) {
            result.r1 = poll(link.seen);
            post(3);
        }

        @Actor
        public void resizer() {
            link.leftCq.resize(4);
        }

        @Arbiter
        public void end(JJ_Result result) {
            for (long next = poll(link.seen); next != 0; next = poll(link.seen)) {
                result.r2 = 10 * result.r2 + next;
            }
            link.leftCq.resize(2);
            link.giveBack();
        }
    }
}
