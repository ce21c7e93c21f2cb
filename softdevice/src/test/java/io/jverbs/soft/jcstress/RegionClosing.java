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

/** After close() of a memory region returns, its memory is neither written nor read by requests. */
@Outcome(id = "0", expect = ACCEPTABLE, desc = "No byte was accessed after close() returned.")
@Outcome(expect = FORBIDDEN, desc = "The number of bytes that were accessed after close() returned.")
public final class RegionClosing {
    /** The value of bytes before close(). */
    private static final byte TRAFFIC = 1;
    /** The value that the owner writes after close(). */
    private static final byte OWNER = 2;
    private static final int USES = 4;

    private RegionClosing() {}

    /** A region whose owner closes it and then reuses the memory. */
    private abstract static class Closing {
        final ConnectedPair pair = ConnectedPair.take();
        final MemorySegment memory = Arena.ofAuto().allocate(ConnectedPair.BYTES, Long.BYTES).fill(TRAFFIC);
        final MemoryRegion region = ConnectedPair.PD.registerMemory(memory, ConnectedPair.ALL);

        Closing() {
            pair.fill(TRAFFIC, TRAFFIC);
        }

        /**
         * Uses the key of the region as the target or source of WRITEs, so that the key caches hold it when it is
         * closed.
         */
        final void use(boolean asTarget) {
            for (int i = 0; i < USES; i++) {
                pair.left.postSend(asTarget ? writeTo() : writeFrom());
                pair.drain();
            }
        }

        final SendWorkRequest writeTo() {
            return pair.write(ConnectedPair.BYTES).remote(region.address(), region.rkey());
        }

        final SendWorkRequest writeFrom() {
            return pair.write(ConnectedPair.BYTES).sge(0, region.address(), ConnectedPair.BYTES, region.lkey());
        }

        final void close() {
            region.close();
            memory.fill(OWNER);
        }

        static int count(MemorySegment memory, byte value) {
            int count = 0;
            for (int i = 0; i < ConnectedPair.BYTES; i++) {
                count += memory.get(JAVA_BYTE, i) == value ? 1 : 0;
            }
            return count;
        }
    }

    /** The region is the target of a WRITE. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class WriteTarget extends Closing {

        @Actor
        public void writer() {
            pair.left.postSend(writeTo());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(memory, TRAFFIC);
            pair.reconnectAndRelease();
        }
    }

    /** The region is the target of a WRITE, and its key is cached. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class CachedWriteTarget extends Closing {

        public CachedWriteTarget() {
            use(true);
        }

        @Actor
        public void writer() {
            pair.left.postSend(writeTo());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(memory, TRAFFIC);
            pair.reconnectAndRelease();
        }
    }

    /** The region is the local memory that a READ writes. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class ReadSink extends Closing {

        @Actor
        public void reader() {
            pair.left.postSend(pair.write(ConnectedPair.BYTES).opcode(WrOpcode.RDMA_READ).sge(0, region.address(),
                    ConnectedPair.BYTES, region.lkey()));
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(memory, TRAFFIC);
            pair.reconnectAndRelease();
        }
    }

    /** The region is the source of a WRITE: what the owner writes after close() is not sent. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class WriteSource extends Closing {

        @Actor
        public void writer() {
            pair.left.postSend(writeFrom());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(pair.rightMemory.segment(), OWNER);
            pair.reconnectAndRelease();
        }
    }

    /** The region is the source of a WRITE, and its key is cached. */
    @JCStressTest
    @JCStressMeta(RegionClosing.class)
    @State
    public static class CachedWriteSource extends Closing {

        public CachedWriteSource() {
            use(false);
        }

        @Actor
        public void writer() {
            pair.left.postSend(writeFrom());
        }

        @Actor
        public void owner() {
            close();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = count(pair.rightMemory.segment(), OWNER);
            pair.reconnectAndRelease();
        }
    }
}
