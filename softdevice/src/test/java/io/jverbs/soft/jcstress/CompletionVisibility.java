package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.CompletionQueue;
import io.jverbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJJ_Result;

/** A polled completion makes its data visible: plain reads after the poll return all of the data. */
@Outcome(id = "0, .*, .*", expect = ACCEPTABLE, desc = "No completion was polled, so nothing is guaranteed.")
@Outcome(id = "1, 361700864190383365, 361700864190383365", expect = ACCEPTABLE, desc = "The data is visible.")
@Outcome(expect = FORBIDDEN, desc = "The completion was polled, but not all of its data is visible.")
public final class CompletionVisibility {
    private static final int VALUE = 5;
    private static final int BYTES = 128;
    private static final int POLLS = 100;

    private CompletionVisibility() {}

    /** Polls a limited number of times, then reads the first and the last word. */
    private static void pollAndRead(ConnectedPair pair, CompletionQueue cq, MemorySegment data, IJJ_Result result) {
        for (int i = 0; i < POLLS && result.r1 == 0; i++) {
            result.r1 = cq.poll(pair.first);
        }
        result.r2 = data.get(JAVA_LONG, 0);
        result.r3 = data.get(JAVA_LONG, BYTES - Long.BYTES);
    }

    /** The receiver of a SEND polls. */
    @JCStressTest
    @JCStressMeta(CompletionVisibility.class)
    @State
    public static class OfSend {
        private final ConnectedPair pair = ConnectedPair.take();

        public OfSend() {
            pair.fill(VALUE, 0);
            pair.postReceive(BYTES);
        }

        @Actor
        public void sender() {
            pair.left.postSend(pair.send(BYTES));
        }

        @Actor
        public void receiver(IJJ_Result result) {
            pollAndRead(pair, pair.rightCq, pair.rightMemory.segment(), result);
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }

    /** The receiver of a WRITE with immediate data polls; the payload is not written to the receive buffer. */
    @JCStressTest
    @JCStressMeta(CompletionVisibility.class)
    @State
    public static class OfWriteWithImmediate {
        private final ConnectedPair pair = ConnectedPair.take();

        public OfWriteWithImmediate() {
            pair.fill(VALUE, 0);
            pair.postReceive(0);
        }

        @Actor
        public void writer() {
            pair.left.postSend(pair.write(BYTES).opcode(WrOpcode.RDMA_WRITE_WITH_IMM));
        }

        @Actor
        public void receiver(IJJ_Result result) {
            pollAndRead(pair, pair.rightCq, pair.rightMemory.segment(), result);
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }

    /** One thread polls the completion of a READ that another thread posted. */
    @JCStressTest
    @JCStressMeta(CompletionVisibility.class)
    @State
    public static class OfRead {
        private final ConnectedPair pair = ConnectedPair.take();

        public OfRead() {
            pair.fill(0, VALUE);
        }

        @Actor
        public void reader() {
            pair.left.postSend(pair.write(BYTES).opcode(WrOpcode.RDMA_READ));
        }

        @Actor
        public void poller(IJJ_Result result) {
            pollAndRead(pair, pair.leftCq, pair.leftMemory.segment(), result);
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }
}
