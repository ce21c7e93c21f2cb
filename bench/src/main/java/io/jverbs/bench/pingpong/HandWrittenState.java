package io.jverbs.bench.pingpong;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.datapath.HandWrittenMessages;
import io.jverbs.bench.datapath.HandWrittenPath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The state of the baseline of SEND and RECV by hand, with the calls of {@link SendState} in the same order. */
@State(Scope.Benchmark)
public class HandWrittenState {
    private Side here;
    private Echo echo;

    /** For JMH. */
    public HandWrittenState() {
        // initialized by start
    }

    /** Starts the echo thread. */
    @Setup
    public void start() {
        HandWrittenPath regions = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
        HandWrittenMessages there = new HandWrittenMessages(regions);
        HandWrittenMessages back = new HandWrittenMessages(regions);
        here = new Side(regions, 1, there, back);
        Side other = new Side(regions, 2, back, there);
        echo = new Echo(other::tryReply);
    }

    /** Stops the echo thread. */
    @TearDown
    public void stop() {
        echo.close();
    }

    void roundTrip() {
        here.send();
        while (!here.tryReceive()) {
            Thread.onSpinWait();
        }
    }

    /** The state of one thread. */
    private static final class Side extends Padded {
        private static final int RECEIVES = 16;

        private final HandWrittenMessages out;
        private final HandWrittenMessages in;
        private final MemorySegment send;
        private final MemorySegment receive;
        private final MemorySegment completions = WorkCompletions.create(RECEIVES).memory();
        private int toPost;

        Side(HandWrittenPath regions, int index, HandWrittenMessages out, HandWrittenMessages in) {
            this.out = out;
            this.in = in;
            MemorySegment memory = Arena.ofAuto().allocate(2L * PingPong.BYTES, 4096);
            int key = regions.register(index, memory);
            send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(0, memory.address(), PingPong.BYTES, key)
                    .memory();
            receive = ReceiveWorkRequest.create(1).sge(0, memory.address() + PingPong.BYTES, PingPong.BYTES, key)
                    .memory();
            for (int i = 0; i < RECEIVES; i++) {
                in.receive(receive);
            }
        }

        void send() {
            out.send(send);
            while (toPost > 0) {
                in.receive(receive);
                toPost--;
            }
            out.pollSent(completions, RECEIVES);
        }

        boolean tryReceive() {
            int count = in.pollReceived(completions, RECEIVES);
            toPost += count;
            return count > 0;
        }

        boolean tryReply() {
            if (!tryReceive()) {
                return false;
            }
            send();
            return true;
        }
    }
}
