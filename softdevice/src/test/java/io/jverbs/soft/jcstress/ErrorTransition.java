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

/**
 * Requests that are posted concurrently with the transition to ERR complete exactly once. The result is the number of
 * completions on the left and on the right side.
 */
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each request completed once.")
@Outcome(expect = FORBIDDEN, desc = "A request has no completion or several.")
public final class ErrorTransition {
    private static final QpAttributes ERR = QpAttributes.builder().state(QpState.ERR).build();

    private ErrorTransition() {}

    /** post_recv races with modify_qp. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class ReceivePostedWhileModifyEntersErr {
        private final ConnectedPair pair = ConnectedPair.take();

        @Actor
        public void poster() {
            pair.postReceive(Long.BYTES);
        }

        @Actor
        public void modifier() {
            pair.right.modify(ERR);
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = 1;
            result.r2 = pair.count(pair.rightCq, 1);
            pair.reconnectAndRelease();
        }
    }

    /** post_recv races with a request that the responder refuses with a NAK. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class ReceivePostedWhileThePeerCausesAnError {
        private final ConnectedPair pair = ConnectedPair.take();

        @Actor
        public void poster() {
            pair.postReceive(Long.BYTES);
        }

        @Actor
        public void peer() {
            pair.left.postSend(pair.write(Long.BYTES).remote(pair.rightMemory.address(), ConnectedPair.WRONG_KEY));
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = pair.count(pair.leftCq, 1);
            result.r2 = pair.count(pair.rightCq, 1);
            pair.reconnectAndRelease();
        }
    }

    /** post_send races with modify_qp. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class SendPostedWhileModifyEntersErr {
        private final ConnectedPair pair = ConnectedPair.take();

        @Actor
        public void poster() {
            pair.left.postSend(pair.write(Long.BYTES));
        }

        @Actor
        public void modifier() {
            pair.left.modify(ERR);
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = pair.count(pair.leftCq, 1);
            result.r2 = 1;
            pair.reconnectAndRelease();
        }
    }

    /** Two queue pairs send each other a request that fails both. */
    @JCStressTest
    @JCStressMeta(ErrorTransition.class)
    @State
    public static class BothPeersCauseAnError {
        private final ConnectedPair pair = ConnectedPair.take();

        @Actor
        public void left() {
            pair.left.postSend(pair.write(Long.BYTES).remote(pair.rightMemory.address(), ConnectedPair.WRONG_KEY));
        }

        @Actor
        public void right() {
            pair.right.postSend(pair.rightRequest.opcode(WrOpcode.RDMA_WRITE).sge(pair.rightMemory, 0, Long.BYTES)
                    .remote(pair.leftMemory.address(), ConnectedPair.WRONG_KEY));
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = pair.count(pair.leftCq, 1);
            result.r2 = pair.count(pair.rightCq, 1);
            pair.reconnectAndRelease();
        }
    }

    /** A completion queue overflows while a queue pair that uses it moves to RTR: the queue pair must end in ERR. */
    @JCStressTest
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "The queue pair is in ERR.")
    @Outcome(expect = FORBIDDEN, desc = "The queue pair is not in ERR though its completion queue has overflowed.")
    @State
    public static class OverflowWhileConnecting {
        private final ConnectedPair pair = ConnectedPair.take();
        private final CompletionQueue small = ConnectedPair.CONTEXT.createCompletionQueue(1);
        private final QueuePair filler = ConnectedPair.queuePair(small);
        private final QueuePair connecting = ConnectedPair.queuePair(small);
        private final QpAttributes toReceive = ConnectedPair.toReceive(connecting);

        public OverflowWhileConnecting() {
            ConnectedPair.toInit(filler);
            ConnectedPair.toReady(filler, filler);
            ConnectedPair.toInit(connecting);
            overflow();
        }

        private void overflow() {
            filler.postSend(pair.write(Long.BYTES));
        }

        @Actor
        public void filler() {
            overflow();
        }

        @Actor
        public void connector() {
            try {
                connecting.modify(toReceive);
            } catch (VerbsException e) {
                // the overflow happened first, and a queue pair in ERR cannot move to RTR
            }
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = connecting.state().code();
            filler.close();
            connecting.close();
            small.close();
            pair.release();
        }
    }
}
