package io.jverbs.bench.pingpong;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.datapath.Loopback;
import io.jverbs.bench.suite.Patience;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Two connected queue pairs, each with a thread that sends, and a completion queue for each direction. */
@State(Scope.Benchmark)
public class SendState {
    private static final int RECEIVES = 16;

    /** One SEND in so many is signaled. */
    @Param({"1", "16"})
    public int signaledOneIn;

    private Loopback loop;
    private Side here;
    private Side there;
    private Echo echo;

    /** For JMH. */
    public SendState() {
        // start makes the rest
    }

    /** Connects and starts the echo. */
    @Setup
    public void start() {
        loop = new Loopback(2L * PingPong.BYTES, true);
        here = new Side(loop.qp(), loop.source(), signaledOneIn);
        there = new Side(loop.peer(), loop.target(), signaledOneIn);
        echo = new Echo(there::tryAnswer);
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        echo.close();
        loop.close();
    }

    void roundTrip() {
        here.send();
        long began = 0;
        for (int turn = 1; !here.came(); turn++) {
            began = Patience.spin(turn, began);
        }
    }

    /** What one thread works on. */
    private static final class Side extends Padded {
        private final QueuePair qp;
        private final CompletionQueue sends;
        private final CompletionQueue receives;
        private final SendWorkRequest silent;
        private final SendWorkRequest signaled;
        private final ReceiveWorkRequest receive;
        private final WorkCompletions completions = WorkCompletions.create(RECEIVES);
        private final int signaledOneIn;
        private int posted;
        private int toPost;

        Side(QueuePair qp, MemoryRegion memory, int signaledOneIn) {
            this.qp = qp;
            this.sends = qp.sendCq();
            this.receives = qp.recvCq();
            this.signaledOneIn = signaledOneIn;
            silent = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(0).sge(memory, 0, PingPong.BYTES);
            signaled = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0,
                    PingPong.BYTES);
            receive = ReceiveWorkRequest.create(1).sge(memory, PingPong.BYTES, PingPong.BYTES);
            for (int i = 0; i < RECEIVES; i++) {
                qp.postReceive(receive);
            }
        }

        /** Sends, and does after that what can wait for it: posts the receive that was used, and reaps completions. */
        void send() {
            posted++;
            if (posted == signaledOneIn) {
                posted = 0;
                qp.postSend(signaled);
            } else {
                qp.postSend(silent);
            }
            while (toPost > 0) {
                qp.postReceive(receive);
                toPost--;
            }
            check(sends.poll(completions));
        }

        /** Polls once; whether a message has come. There is never more than one under way. */
        boolean came() {
            int count = receives.poll(completions);
            if (count == 0) {
                return false;
            }
            check(count);
            toPost += count;
            return true;
        }

        private void check(int count) {
            for (int i = 0; i < count; i++) {
                if (!completions.isSuccess(i)) {
                    throw new IllegalStateException(completions.toString());
                }
            }
        }

        boolean tryAnswer() {
            if (!came()) {
                return false;
            }
            send();
            return true;
        }
    }
}
