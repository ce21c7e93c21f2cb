package io.jverbs.samples.tour.operation;

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
 * An RDMA WRITE that the access flags of the peer's memory region do not permit. It writes nothing, completes in error,
 * and moves both queue pairs to ERR, where all posted requests are flushed. Then both queue pairs are reset and
 * connected again, and another WRITE succeeds.
 */
public final class AccessErrorOperation implements Operation {
    private final Side right;
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer forbidden;
    private final Buffer permitted;
    private final SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
            .flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(0);
    private long wrId;
    private int size;
    private long seed;

    public AccessErrorOperation(Sides sides, int largest) {
        right = sides.right();
        pair = ConnectedPair.open(QpType.RC, sides);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        forbidden = Buffer.allocate(right.pd(), largest, Access.LOCAL_WRITE);
        permitted = Buffer.allocate(right.pd(), largest, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        forbidden.fill(size, ~seed);
        forbidden.guard(size);
        permitted.guard(size);
        pair.right().postReceive(receive.wrId(wrId));
        source.setElement(write.wrId(wrId), size).remote(forbidden.address(), forbidden.rkey());
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
        forbidden.check(size, ~seed);
        checkEvents();
        pair.reconnect();
        writeAgain();
    }

    /** Waits until a queue pair is in ERR, which the peer's enters a little later than the local one. */
    private static void awaitError(String side, QueuePair qp) {
        long start = System.nanoTime();
        QpState state = qp.state();
        while (state != QpState.ERR) {
            if (System.nanoTime() - start > Completions.TIMEOUT.toNanos()) {
                throw new Mismatch("state of the " + side + " queue pair", QpState.ERR, state);
            }
            Thread.onSpinWait();
            state = qp.state();
        }
    }

    /** Checks the asynchronous events of the right side. Not every device reports the access error there. */
    private void checkEvents() {
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
            throw new IllegalStateException("interrupted while waiting for asynchronous events", e);
        }
    }

    private void writeAgain() {
        pair.left().postSend(write.remote(permitted.address(), permitted.rkey()));
        pair.leftDone().expect(wrId, WcOpcode.RDMA_WRITE);
        pair.notifyRight();
        permitted.check(size, seed);
    }

    @Override
    public void close() {
        pair.close();
        source.close();
        forbidden.close();
        permitted.close();
    }
}
