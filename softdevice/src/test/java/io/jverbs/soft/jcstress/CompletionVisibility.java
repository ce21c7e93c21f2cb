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

/** A polled completion makes the data it stands for visible: plain reads after the poll see all of it. */
@Outcome(id = "0, .*, .*", expect = ACCEPTABLE, desc = "The completion was not there yet: nothing is promised.")
@Outcome(id = "1, 361700864190383365, 361700864190383365", expect = ACCEPTABLE, desc = "The first and the last word.")
@Outcome(expect = FORBIDDEN, desc = "A completion without its data.")
public final class CompletionVisibility {
    private static final int VALUE = 5;
    private static final int BYTES = 128;
    private static final int POLLS = 100;

    private CompletionVisibility() {}

    /** Polls for a while and reads the first and the last word. */
    private static void look(Link link, CompletionQueue cq, MemorySegment data, IJJ_Result result) {
        for (int i = 0; i < POLLS && result.r1 == 0; i++) {
            result.r1 = cq.poll(link.seen);
        }
        result.r2 = data.get(JAVA_LONG, 0);
        result.r3 = data.get(JAVA_LONG, BYTES - Long.BYTES);
    }

    /** The receiver of a SEND. */
    @JCStressTest
    @JCStressMeta(CompletionVisibility.class)
    @State
    public static class OfSend {
        private final Link link = Link.take();

        public OfSend() {
            link.fill(VALUE, 0);
            link.postReceive(BYTES);
        }

        @Actor
        public void sender() {
            link.left.postSend(link.send(BYTES));
        }

        @Actor
        public void receiver(IJJ_Result result) {
            look(link, link.rightCq, link.rightMemory.segment(), result);
        }

        @Arbiter
        public void end() {
            link.giveBack();
        }
    }

    /** The receiver of a WRITE with immediate data, whose payload goes elsewhere than the receive. */
    @JCStressTest
    @JCStressMeta(CompletionVisibility.class)
    @State
    public static class OfWriteWithImmediate {
        private final Link link = Link.take();

        public OfWriteWithImmediate() {
            link.fill(VALUE, 0);
            link.postReceive(0);
        }

        @Actor
        public void writer() {
            link.left.postSend(link.write(BYTES).opcode(WrOpcode.RDMA_WRITE_WITH_IMM));
        }

        @Actor
        public void receiver(IJJ_Result result) {
            look(link, link.rightCq, link.rightMemory.segment(), result);
        }

        @Arbiter
        public void end() {
            link.giveBack();
        }
    }

    /** A thread that polls what another has posted: a READ. */
    @JCStressTest
    @JCStressMeta(CompletionVisibility.class)
    @State
    public static class OfRead {
        private final Link link = Link.take();

        public OfRead() {
            link.fill(0, VALUE);
        }

        @Actor
        public void reader() {
            link.left.postSend(link.write(BYTES).opcode(WrOpcode.RDMA_READ));
        }

        @Actor
        public void poller(IJJ_Result result) {
            look(link, link.leftCq, link.leftMemory.segment(), result);
        }

        @Arbiter
        public void end() {
            link.giveBack();
        }
    }
}
