package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.MemoryRegion;
import io.jverbs.SendWorkRequest;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Remote atomics are atomic against those of other queue pairs and against the CPU. */
public final class Atomics {
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    /** Where a result goes: memory of the poster's, apart from the word at the start of the right memory. */
    private static final long RESULT = 64;

    private Atomics() {}

    /** Both queue pairs of a link work on one word of the right memory; the results lie in the posters' memories. */
    private abstract static class OneWord {
        final Link link = Link.take();
        private final MemoryRegion word = link.rightMemory;

        OneWord() {
            link.fill(0, 0);
            link.leftRequest.flags(0).sge(link.leftMemory, RESULT, Long.BYTES).sgeCount(1);
            link.rightRequest.flags(0).sge(link.rightMemory, RESULT, Long.BYTES).sgeCount(1);
        }

        void add(SendWorkRequest request, long value) {
            post(request.fetchAndAdd(word.address(), word.rkey(), value));
        }

        void swap(SendWorkRequest request, long value) {
            post(request.compareAndSwap(word.address(), word.rkey(), 0, value));
        }

        private void post(SendWorkRequest request) {
            (request == link.leftRequest ? link.left : link.right).postSend(request);
        }

        long leftFormer() {
            return link.leftMemory.segment().get(JAVA_LONG, RESULT);
        }

        long rightFormer() {
            return link.rightMemory.segment().get(JAVA_LONG, RESULT);
        }

        long word() {
            return word.segment().get(JAVA_LONG, 0);
        }
    }

    /** FETCH_ADD of two queue pairs. */
    @JCStressTest
    @Outcome(id = {"0, 1, 11", "10, 0, 11"}, expect = ACCEPTABLE, desc = "One came after the other.")
    @Outcome(expect = FORBIDDEN, desc = "An addition was lost.")
    @State
    public static class FetchAddOfTwoQueuePairs extends OneWord {

        @Actor
        public void left() {
            add(link.leftRequest, 1);
        }

        @Actor
        public void right() {
            add(link.rightRequest, 10);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftFormer();
            result.r2 = rightFormer();
            result.r3 = word();
            link.giveBack();
        }
    }

    /** FETCH_ADD against an addition by the CPU. */
    @JCStressTest
    @Outcome(id = {"0, 1, 11", "10, 0, 11"}, expect = ACCEPTABLE, desc = "One came after the other.")
    @Outcome(expect = FORBIDDEN, desc = "An addition was lost.")
    @State
    public static class FetchAddAndTheCpu extends OneWord {

        @Actor
        public void remote() {
            add(link.leftRequest, 1);
        }

        @Actor
        public void cpu(JJJ_Result result) {
            result.r2 = (long) WORD.getAndAdd(link.rightMemory.segment(), 0L, 10L);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftFormer();
            result.r3 = word();
            link.giveBack();
        }
    }

    /** CMP_SWAP of two queue pairs: one wins, and the other sees it. */
    @JCStressTest
    @Outcome(id = {"0, 1, 1", "2, 0, 2"}, expect = ACCEPTABLE, desc = "One won.")
    @Outcome(expect = FORBIDDEN, desc = "None won, or both.")
    @State
    public static class CompareSwapOfTwoQueuePairs extends OneWord {

        @Actor
        public void left() {
            swap(link.leftRequest, 1);
        }

        @Actor
        public void right() {
            swap(link.rightRequest, 2);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftFormer();
            result.r2 = rightFormer();
            result.r3 = word();
            link.giveBack();
        }
    }

    /** CMP_SWAP against a plain store of the CPU's: the store is never undone. */
    @JCStressTest
    @Outcome(id = {"0, 0, 7", "7, 0, 7"}, expect = ACCEPTABLE, desc = "The store came after the swap, or kept it off.")
    @Outcome(expect = FORBIDDEN, desc = "The store was lost.")
    @State
    public static class CompareSwapAndAStore extends OneWord {

        @Actor
        public void remote() {
            swap(link.leftRequest, 1);
        }

        @Actor
        public void cpu() {
            link.rightMemory.segment().set(JAVA_LONG, 0, 7);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftFormer();
            result.r3 = word();
            link.giveBack();
        }
    }
}
