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

/** Remote atomics are atomic with respect to those of other queue pairs and to the CPU. */
public final class Atomics {
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    /** The offset of the result in the requester's memory, away from the word at the start of the right memory. */
    private static final long RESULT = 64;

    private Atomics() {}

    /**
     * Both queue pairs of a pair access one word of the right memory; results are written to the requesters' memories.
     */
    private abstract static class OneWord {
        final ConnectedPair pair = ConnectedPair.take();
        private final MemoryRegion word = pair.rightMemory;

        OneWord() {
            pair.fill(0, 0);
            pair.leftRequest.flags(0).sge(pair.leftMemory, RESULT, Long.BYTES).sgeCount(1);
            pair.rightRequest.flags(0).sge(pair.rightMemory, RESULT, Long.BYTES).sgeCount(1);
        }

        void add(SendWorkRequest request, long value) {
            post(request.fetchAndAdd(word.address(), word.rkey(), value));
        }

        void swap(SendWorkRequest request, long value) {
            post(request.compareAndSwap(word.address(), word.rkey(), 0, value));
        }

        private void post(SendWorkRequest request) {
            (request == pair.leftRequest ? pair.left : pair.right).postSend(request);
        }

        long leftOriginal() {
            return pair.leftMemory.segment().get(JAVA_LONG, RESULT);
        }

        long rightOriginal() {
            return pair.rightMemory.segment().get(JAVA_LONG, RESULT);
        }

        long word() {
            return word.segment().get(JAVA_LONG, 0);
        }
    }

    /** Two queue pairs execute FETCH_ADD. */
    @JCStressTest
    @Outcome(id = {"0, 1, 11", "10, 0, 11"}, expect = ACCEPTABLE, desc = "The operations were serialized.")
    @Outcome(expect = FORBIDDEN, desc = "An addition was lost.")
    @State
    public static class FetchAddOfTwoQueuePairs extends OneWord {

        @Actor
        public void left() {
            add(pair.leftRequest, 1);
        }

        @Actor
        public void right() {
            add(pair.rightRequest, 10);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftOriginal();
            result.r2 = rightOriginal();
            result.r3 = word();
            pair.release();
        }
    }

    /** A queue pair executes FETCH_ADD while the CPU adds. */
    @JCStressTest
    @Outcome(id = {"0, 1, 11", "10, 0, 11"}, expect = ACCEPTABLE, desc = "The operations were serialized.")
    @Outcome(expect = FORBIDDEN, desc = "An addition was lost.")
    @State
    public static class FetchAddAndCpuAdd extends OneWord {

        @Actor
        public void remote() {
            add(pair.leftRequest, 1);
        }

        @Actor
        public void cpu(JJJ_Result result) {
            result.r2 = (long) WORD.getAndAdd(pair.rightMemory.segment(), 0L, 10L);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftOriginal();
            result.r3 = word();
            pair.release();
        }
    }

    /** Two queue pairs execute CMP_SWAP: exactly one swaps, and the other returns the swapped value. */
    @JCStressTest
    @Outcome(id = {"0, 1, 1", "2, 0, 2"}, expect = ACCEPTABLE, desc = "One swapped; the other returned its value.")
    @Outcome(expect = FORBIDDEN, desc = "None or both swapped, or a wrong value was returned.")
    @State
    public static class CompareSwapOfTwoQueuePairs extends OneWord {

        @Actor
        public void left() {
            swap(pair.leftRequest, 1);
        }

        @Actor
        public void right() {
            swap(pair.rightRequest, 2);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftOriginal();
            result.r2 = rightOriginal();
            result.r3 = word();
            pair.release();
        }
    }

    /** A queue pair executes CMP_SWAP while the CPU stores: the store is never lost. */
    @JCStressTest
    @Outcome(id = {"0, 0, 7", "7, 0, 7"}, expect = ACCEPTABLE, desc = "The store followed or prevented the swap.")
    @Outcome(expect = FORBIDDEN, desc = "The store was lost.")
    @State
    public static class CompareSwapAndCpuStore extends OneWord {

        @Actor
        public void remote() {
            swap(pair.leftRequest, 1);
        }

        @Actor
        public void cpu() {
            pair.rightMemory.segment().set(JAVA_LONG, 0, 7);
        }

        @Arbiter
        public void end(JJJ_Result result) {
            result.r1 = leftOriginal();
            result.r3 = word();
            pair.release();
        }
    }
}
