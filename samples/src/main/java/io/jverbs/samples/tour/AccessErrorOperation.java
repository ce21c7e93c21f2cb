package io.jverbs.samples.tour;

import io.jverbs.Access;
import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.time.Duration;

/**
 * An RDMA WRITE that the peer's memory does not permit. It writes nothing, completes in error, and takes both queue
 * pairs to ERR, where all that is posted is flushed; then both are reset, connected again, and work.
 */
final class AccessErrorOperation implements Operation {
    private final Side right;
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer closed;
    private final Buffer open;
    private final SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
            .flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(0);
    private long wrId;
    private int size;
    private long seed;

    AccessErrorOperation(Sides sides, int largest) {
        right = sides.right();
        pair = ConnectedPair.open(QpType.RC, sides);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        closed = Buffer.allocate(right.pd(), largest, Access.LOCAL_WRITE);
        open = Buffer.allocate(right.pd(), largest, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        closed.fill(size, ~seed);
        closed.guard(size);
        open.guard(size);
        pair.right().postReceive(receive.wrId(wrId));
        source.describe(write.wrId(wrId), size).remote(closed.address(), closed.rkey());
    }

    @Override
    public void run() {
        pair.left().postSend(write);
        pair.leftDone().expectFailure(wrId, WcStatus.REM_ACCESS_ERR);
    }

    @Override
    public void check() {
        awaitError("left", pair.left());
        awaitError("right", pair.right());
        pair.rightDone().expectFailure(wrId, WcStatus.WR_FLUSH_ERR);
        pair.left().postSend(write);
        pair.leftDone().expectFailure(wrId, WcStatus.WR_FLUSH_ERR);
        closed.check(size, ~seed);
        takeEvents();
        pair.reconnect();
        writeAgain();
    }

    /** The peer hears of the error a little after us. */
    private static void awaitError(String side, QueuePair qp) {
        long start = System.nanoTime();
        QpState state = qp.state();
        while (state != QpState.ERR) {
            if (System.nanoTime() - start > Completions.PATIENCE.toNanos()) {
                throw new Mismatch("state of the " + side + " queue pair", QpState.ERR, state);
            }
            Thread.onSpinWait();
            state = qp.state();
        }
    }

    /** Not every device tells the program on the right what happened; one that does tells this. */
    private void takeEvents() {
        try {
            AsyncEvent event = right.context().awaitAsyncEvent(Duration.ZERO);
            while (event != null) {
                event.acknowledge();
                if (event.queuePair() == pair.right() && event.type() != AsyncEventType.COMM_EST) {
                    Mismatch.check("event of the right queue pair", AsyncEventType.QP_ACCESS_ERR, event.type());
                }
                event = right.context().awaitAsyncEvent(Duration.ZERO);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for events", e);
        }
    }

    private void writeAgain() {
        pair.left().postSend(write.remote(open.address(), open.rkey()));
        pair.leftDone().expect(wrId, WcOpcode.RDMA_WRITE);
        pair.tellRight();
        open.check(size, seed);
    }

    @Override
    public void close() {
        pair.close();
        source.close();
        closed.close();
        open.close();
    }
}
