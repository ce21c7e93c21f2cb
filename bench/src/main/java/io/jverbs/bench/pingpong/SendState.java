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
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.SpinTimeout;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The state of the SEND ping-pong: two connected queue pairs, each used by one thread, with separate send CQs. */
@State(Scope.Benchmark)
public class SendState {
    private static final int RECEIVES = 16;
    /** At most half of the send queue is not signaled. */
    private static final int MAX_UNSIGNALED = Loopback.DEPTH / 2;

    /** N if one SEND in N is signaled. */
    @Param({"1", "16"})
    @Allowed(max = MAX_UNSIGNALED)
    public int signaledOneIn;

    private Loopback loop;
    private Side here;
    private Side there;
    private Echo echo;

    /** For JMH. */
    public SendState() {
        // initialized by start
    }

    /** Connects the queue pairs and starts the echo thread. */
    @Setup
    public void start() {
        loop = new Loopback(2L * PingPong.BYTES, true);
        here = new Side(loop.qp(), loop.source(), signaledOneIn);
        there = new Side(loop.peer(), loop.target(), signaledOneIn);
        echo = new Echo(there::tryReply);
    }

    /** Stops the echo thread and closes the objects. */
    @TearDown
    public void stop() {
        echo.close();
        loop.close();
    }

    void roundTrip() {
        here.send();
        long start = 0;
        for (int iteration = 1; !here.tryReceive(); iteration++) {
            start = SpinTimeout.spin(iteration, start);
        }
    }

    /** The state of one thread. */
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

        /** Sends, and then posts the consumed receives again and reaps send completions, which are less urgent. */
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

        /** Polls once; returns whether a message was received. There is at most one in flight. */
        boolean tryReceive() {
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

        boolean tryReply() {
            if (!tryReceive()) {
                return false;
            }
            send();
            return true;
        }
    }
}
