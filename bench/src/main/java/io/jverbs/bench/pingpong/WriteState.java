package io.jverbs.bench.pingpong;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.datapath.Loopback;
import io.jverbs.bench.suite.SpinTimeout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The state of the WRITE ping-pong: each thread writes to the memory of the other, and polls the last word of its own.
 */
@State(Scope.Benchmark)
public class WriteState {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long LAST_WORD = PingPong.BYTES - Long.BYTES;
    /** One WRITE in 16 is signaled, to free the send queue. */
    private static final int SIGNALED_ONE_IN = 16;

    private Loopback loop;
    private Side here;
    private Side there;
    private Echo echo;

    /** For JMH. */
    public WriteState() {
        // initialized by start
    }

    /** Connects the queue pairs and starts the echo thread. */
    @Setup
    public void start() {
        loop = new Loopback(2L * PingPong.BYTES);
        here = new Side(loop.qp(), loop.cq(), loop.source(), loop.target());
        there = new Side(loop.peer(), loop.peerCq(), loop.target(), loop.source());
        echo = new Echo(there::tryReply);
    }

    /** Stops the echo thread and closes the objects. */
    @TearDown
    public void stop() {
        echo.close();
        loop.close();
    }

    void roundTrip() {
        here.write();
        long start = 0;
        for (int iteration = 1; !here.tryReceive(); iteration++) {
            start = SpinTimeout.spin(iteration, start);
        }
    }

    /** The state of one thread. It sends the first half of its memory; the other thread writes to the second half. */
    private static final class Side extends Padded {
        private final QueuePair qp;
        private final CompletionQueue cq;
        private final MemorySegment out;
        private final MemorySegment in;
        private final SendWorkRequest silent;
        private final SendWorkRequest signaled;
        private final WorkCompletions completion = WorkCompletions.create(1);
        private long written;
        private long seen;

        Side(QueuePair qp, CompletionQueue cq, MemoryRegion own, MemoryRegion other) {
            this.qp = qp;
            this.cq = cq;
            out = own.segment().asSlice(0, PingPong.BYTES);
            in = own.segment().asSlice(PingPong.BYTES);
            silent = request(own, other, 0);
            signaled = request(own, other, SendFlags.SIGNALED);
        }

        private static SendWorkRequest request(MemoryRegion own, MemoryRegion other, int flags) {
            return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(flags).sge(own, 0, PingPong.BYTES)
                    .remote(other.address() + PingPong.BYTES, other.rkey());
        }

        void write() {
            written++;
            WORD.set(out, LAST_WORD, written);
            boolean last = written % SIGNALED_ONE_IN == 0;
            qp.postSend(last ? signaled : silent);
            if (last) {
                Loopback.await(cq, completion);
            }
        }

        /** Reads the last word once; returns whether the other thread has written to it. */
        boolean tryReceive() {
            long word = (long) WORD.getAcquire(in, LAST_WORD);
            if (word == seen) {
                return false;
            }
            seen = word;
            return true;
        }

        boolean tryReply() {
            if (!tryReceive()) {
                return false;
            }
            write();
            return true;
        }
    }
}
