package io.jverbs.soft.jcstress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.MemoryRegion;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Once close() of a region has returned, its memory is neither written nor read. */
@Outcome(id = "0", expect = ACCEPTABLE, desc = "No byte was touched after close().")
@Outcome(expect = FORBIDDEN, desc = "So many bytes were touched after close().")
public final class RegionClosing {
    private static final byte TRAFFIC = 1;
    private static final byte OWNER = 2;
    private static final int USES = 4;

    private RegionClosing() {}

    /** A region that is closed, whereupon its owner uses the memory for something else. */
    private abstract static class Closing {
        final Link link = Link.take();
        final MemorySegment memory = Arena.ofAuto().allocate(Link.BYTES, Long.BYTES).fill(TRAFFIC);
        final MemoryRegion region = Link.PD.registerMemory(memory, Link.ALL);

        Closing() {
            link.fill(TRAFFIC, TRAFFIC);
        }

        /** Has the queue pairs know the region's key before it is closed, as the target or as the source of a WRITE. */
        final void use(boolean asTarget) {
            for (int i = 0; i < USES; i++) {
                link.left.postSend(asTarget ? writeTo() : writeFrom());
                link.drain();
            }
        }

        final SendWorkRequest writeTo() {
            return link.write(Link.BYTES).remote(region.address(), region.rkey());
        }

        final SendWorkRequest writeFrom() {
            return link.write(Link.BYTES).sge(0, region.address(), Link.BYTES, region.lkey());
        }

        final void close() {
            region.close();
            memory.fill(OWNER);
        }

        static int count(MemorySegment memory, byte value) {
            int count = 0;
            for (int i = 0; i < Link.BYTES; i++) {
                count += memory.get(JAVA_BYTE, i) == value ? 1 : 0;
            }
            return count;
        }
    }

    /** The target of a WRITE. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class OfTheTargetOfAWrite extends Closing {

        @Actor
        public void writer() {
            link.left.postSend(writeTo());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(memory, TRAFFIC);
            link.mendAndGiveBack();
        }
    }

    /** The target of a WRITE, as of many before. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class OfATargetInUse extends Closing {

        public OfATargetInUse() {
            use(true);
        }

        @Actor
        public void writer() {
            link.left.postSend(writeTo());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(memory, TRAFFIC);
            link.mendAndGiveBack();
        }
    }

    /** The local memory that a READ fills. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class OfTheSinkOfARead extends Closing {

        @Actor
        public void reader() {
            link.left.postSend(link.write(Link.BYTES).opcode(WrOpcode.RDMA_READ).sge(0, region.address(), Link.BYTES,
                    region.lkey()));
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(memory, TRAFFIC);
            link.mendAndGiveBack();
        }
    }

    /** The source of a WRITE: what the owner put there afterwards does not arrive. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class OfTheSourceOfAWrite extends Closing {

        @Actor
        public void writer() {
            link.left.postSend(writeFrom());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(link.rightMemory.segment(), OWNER);
            link.mendAndGiveBack();
        }
    }

    /** The source of a WRITE, as of many before. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class OfASourceInUse extends Closing {

        public OfASourceInUse() {
            use(false);
        }

        @Actor
        public void writer() {
            link.left.postSend(writeFrom());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(link.rightMemory.segment(), OWNER);
            link.mendAndGiveBack();
        }
    }
}
