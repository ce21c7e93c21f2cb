package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Checks what a reader of the memory may see while an RDMA WRITE is executed, without any completion. */
public final class WriteVisibility {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final VarHandle SHORT = JAVA_SHORT.varHandle();
    private static final VarHandle BYTE = JAVA_BYTE.varHandle();
    private static final byte NEW = 0x55;
    private static final long NEW_WORD = 0x5555_5555_5555_5555L;
    private static final int MAX_LENGTH = 150;
    private static final int READS = 200;

    private WriteVisibility() {}

    /** A WRITE of random length and offset, with one or two gather elements. */
    private abstract static class Write {
        final ConnectedPair pair = ConnectedPair.take();
        final MemorySegment target = pair.rightMemory.segment();
        final int start;
        final int end;

        Write() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            start = random.nextInt(Long.BYTES);
            int length = 1 + random.nextInt(MAX_LENGTH);
            end = start + length;
            pair.fill(NEW, 0);
            pair.write(length).remote(pair.rightMemory.address() + start, pair.rightMemory.rkey());
            if (random.nextBoolean()) {
                int first = random.nextInt(length + 1);
                int source = random.nextInt(Long.BYTES);
                pair.leftRequest.sge(0, pair.leftMemory, source, first).sge(1, pair.leftMemory, source, length - first);
            }
        }

        void post() {
            pair.left.postSend(pair.leftRequest);
        }
    }

    /**
     * The widest naturally aligned word at the end of the range is written last. A reader that reads its new value with
     * acquire semantics sees all bytes.
     */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The last word had its old value.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The last word had its new value, and so had all other bytes.")
    @Outcome(expect = FORBIDDEN, desc = "The last word had its new value, but other bytes had their old values.")
    @State
    public static class NewLastWordImpliesAllBytes extends Write {

        @Actor
        public void writer() {
            post();
        }

        @Actor
        public void reader(II_Result result) {
            for (int i = 0; i < READS && result.r1 == 0; i++) {
                result.r1 = lastWordArrived() ? 1 : 0;
            }
            if (result.r1 != 0) {
                for (int at = start; at < end; at++) {
                    result.r2 += target.get(JAVA_BYTE, at) == NEW ? 0 : 1;
                }
            }
        }

        private boolean lastWordArrived() {
            int length = end - start;
            if (end % Long.BYTES == 0 && length >= Long.BYTES) {
                return (long) LONG.getAcquire(target, (long) end - Long.BYTES) == NEW_WORD;
            }
            if (end % Integer.BYTES == 0 && length >= Integer.BYTES) {
                return (int) INT.getAcquire(target, (long) end - Integer.BYTES) == (int) NEW_WORD;
            }
            if (end % Short.BYTES == 0 && length >= Short.BYTES) {
                return (short) SHORT.getAcquire(target, (long) end - Short.BYTES) == (short) NEW_WORD;
            }
            return (byte) BYTE.getAcquire(target, (long) end - 1) == NEW;
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }

    /** An aligned word of 8 bytes within the range has its old or its new value, never a mixture. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "All words had their old value, or all had their new value.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Some words had their new value, and no word was torn.")
    @Outcome(expect = FORBIDDEN, desc = "At least one word was torn.")
    @State
    public static class NoAlignedWordIsTorn extends Write {

        @Actor
        public void writer() {
            post();
        }

        @Actor
        public void reader(II_Result result) {
            boolean sawOld = false;
            boolean sawNew = false;
            for (int at = start + 7 & -Long.BYTES; at + Long.BYTES <= end; at += Long.BYTES) {
                long word = (long) LONG.getOpaque(target, (long) at);
                sawOld |= word == 0;
                sawNew |= word == NEW_WORD;
                result.r1 += word == 0 || word == NEW_WORD ? 0 : 1;
            }
            result.r2 = sawOld && sawNew ? 1 : 0;
        }

        @Arbiter
        public void end() {
            pair.release();
        }
    }
}
