package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.CompletionQueue;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.VerbsException;
import io.jverbs.WrOpcode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Posts that race with the transition to ERR: each completes, once. The result counts the completions left and right. */
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each request completed once.")
@Outcome(expect = FORBIDDEN, desc = "A completion is missing, or there is one too many.")
public final class ErrorTransition {
    private static final QpAttributes ERR = QpAttributes.builder().state(QpState.ERR).build();

    private ErrorTransition() {}

    /** post_recv and modify. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class ReceivePostedWhileModifyEntersErr {
        private final Link link = Link.take();

        @Actor
        public void poster() {
            link.postReceive(Long.BYTES);
        }

        @Actor
        public void modifier() {
            link.right.modify(ERR);
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = 1;
            result.r2 = link.count(link.rightCq, 1);
            link.mendAndGiveBack();
        }
    }

    /** post_recv and a request that the responder refuses. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class ReceivePostedWhileThePeerCausesAnError {
        private final Link link = Link.take();

        @Actor
        public void poster() {
            link.postReceive(Long.BYTES);
        }

        @Actor
        public void peer() {
            link.left.postSend(link.write(Long.BYTES).remote(link.rightMemory.address(), Link.WRONG_KEY));
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = link.count(link.leftCq, 1);
            result.r2 = link.count(link.rightCq, 1);
            link.mendAndGiveBack();
        }
    }

    /** post_send and modify. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class SendPostedWhileModifyEntersErr {
        private final Link link = Link.take();

        @Actor
        public void poster() {
            link.left.postSend(link.write(Long.BYTES));
        }

        @Actor
        public void modifier() {
            link.left.modify(ERR);
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = link.count(link.leftCq, 1);
            result.r2 = 1;
            link.mendAndGiveBack();
        }
    }

    /** Two queue pairs that break each other. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class ErrorsThatCross {
        private final Link link = Link.take();

        @Actor
        public void left() {
            link.left.postSend(link.write(Long.BYTES).remote(link.rightMemory.address(), Link.WRONG_KEY));
        }

        @Actor
        public void right() {
            link.right.postSend(link.rightRequest.opcode(WrOpcode.RDMA_WRITE).sge(link.rightMemory, 0, Long.BYTES)
                    .remote(link.leftMemory.address(), Link.WRONG_KEY));
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = link.count(link.leftCq, 1);
            result.r2 = link.count(link.rightCq, 1);
            link.mendAndGiveBack();
        }
    }

    /** A completion queue overflows while a queue pair that uses it is connected: the queue pair ends in ERR. */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "The queue pair is in ERR.")
    @Outcome(expect = FORBIDDEN, desc = "The queue pair lives on with a broken completion queue.")
    @State
    public static class OverflowWhileConnecting {
        private final Link link = Link.take();
        private final CompletionQueue broken = Link.CONTEXT.createCompletionQueue(1);
        private final QueuePair filler = Link.queuePair(broken);
        private final QueuePair victim = Link.queuePair(broken);
        private final QpAttributes toReceive = Link.toReceive(victim);

        public OverflowWhileConnecting() {
            Link.toInit(filler);
            Link.toReady(filler, filler);
            Link.toInit(victim);
            overflow();
        }

        private void overflow() {
            filler.postSend(link.write(Long.BYTES));
        }

        @Actor
        public void filler() {
            overflow();
        }

        @Actor
        public void connector() {
            try {
                victim.modify(toReceive);
            } catch (VerbsException e) {
                // the overflow came first, and from ERR nothing leads to RTR
            }
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = victim.state().code();
            filler.close();
            victim.close();
            broken.close();
            link.giveBack();
        }
    }
}
