package io.jverbs.samples.tour.operation;

import io.jverbs.ConnectionInfo;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/** Two RC or UC queue pairs that are connected to each other, with a completion queue on each side. */
final class ConnectedPair implements AutoCloseable {
    private static final long NOTIFICATION_ID = -1;

    private final QueuePair left;
    private final QueuePair right;
    private final Completions leftDone;
    private final Completions rightDone;
    private final boolean ownsRightDone;
    private final SendWorkRequest notification = SendWorkRequest.create(0).opcode(WrOpcode.SEND)
            .flags(SendFlags.SIGNALED).wrId(NOTIFICATION_ID);
    private final ReceiveWorkRequest notificationReceive = ReceiveWorkRequest.create(0).wrId(NOTIFICATION_ID);

    private ConnectedPair(QueuePair left, QueuePair right, Completions leftDone, Completions rightDone,
            boolean ownsRightDone) {
        this.left = left;
        this.right = right;
        this.leftDone = leftDone;
        this.rightDone = rightDone;
        this.ownsRightDone = ownsRightDone;
    }

    static ConnectedPair open(QpType type, Sides sides) {
        return open(type, sides, sides.right().completions(type), null, true);
    }

    /**
     * Opens an RC pair whose right side uses the caller's completion queue and, unless null, a shared receive queue.
     */
    static ConnectedPair open(Sides sides, Completions rightDone, SharedReceiveQueue shared) {
        return open(QpType.RC, sides, rightDone, shared, false);
    }

    private static ConnectedPair open(QpType type, Sides sides, Completions rightDone, SharedReceiveQueue shared,
            boolean ownsRightDone) {
        Completions leftDone = sides.left().completions(type);
        QueuePair left = sides.left().pd()
                .createQueuePair(QpInitAttributes.builder(type).cq(leftDone.queue()).build());
        QueuePair right = sides.right().pd()
                .createQueuePair(QpInitAttributes.builder(type).cq(rightDone.queue()).srq(shared).build());
        ConnectedPair pair = new ConnectedPair(left, right, leftDone, rightDone, ownsRightDone);
        pair.connect();
        return pair;
    }

    /** Connects the queue pairs. Two programs would exchange the connection information over a socket. */
    private void connect() {
        ConnectionInfo leftInfo = left.localInfo();
        ConnectionInfo rightInfo = right.localInfo();
        left.connect(rightInfo);
        right.connect(leftInfo);
    }

    /** Resets and connects both queue pairs from any state. All posted requests are discarded. */
    void reconnect() {
        QpAttributes reset = QpAttributes.builder().state(QpState.RESET).build();
        left.modify(reset);
        right.modify(reset);
        connect();
    }

    QueuePair left() {
        return left;
    }

    QueuePair right() {
        return right;
    }

    Completions leftDone() {
        return leftDone;
    }

    Completions rightDone() {
        return rightDone;
    }

    /**
     * Notifies the right side with an empty message that a WRITE is complete. The right side gets no completion of a
     * WRITE, but the data of a WRITE is visible before the message that follows it is received.
     */
    void notifyRight() {
        right.postReceive(notificationReceive);
        left.postSend(notification);
        leftDone.expect(NOTIFICATION_ID, WcOpcode.SEND);
        rightDone.expect(NOTIFICATION_ID, WcOpcode.RECV, 0);
    }

    @Override
    public void close() {
        left.close();
        right.close();
        leftDone.close();
        if (ownsRightDone) {
            rightDone.close();
        }
    }
}
