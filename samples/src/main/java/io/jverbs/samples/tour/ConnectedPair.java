package io.jverbs.samples.tour;

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

/** Two queue pairs, RC or UC, connected to each other, with a completion queue on each side. */
final class ConnectedPair implements AutoCloseable {
    private static final long NOTE = -1;

    private final QueuePair left;
    private final QueuePair right;
    private final Completions leftDone;
    private final Completions rightDone;
    private final boolean ownsRightDone;
    private final SendWorkRequest note = SendWorkRequest.create(0).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
            .wrId(NOTE);
    private final ReceiveWorkRequest noteArrival = ReceiveWorkRequest.create(0).wrId(NOTE);

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

    /** Opens an RC pair whose right side completes into the caller's queue and receives from a shared one, or null. */
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

    /** What two programs do over a socket: tell each other where they are, then connect. */
    private void connect() {
        ConnectionInfo leftInfo = left.localInfo();
        ConnectionInfo rightInfo = right.localInfo();
        left.connect(rightInfo);
        right.connect(leftInfo);
    }

    /** Brings both queue pairs back from whatever state they are in; what was posted is gone. */
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
     * Tells the right side that a WRITE is complete, by an empty message. The completion of a WRITE is for the writer
     * alone; what comes before a message is there when the message is.
     */
    void tellRight() {
        right.postReceive(noteArrival);
        left.postSend(note);
        leftDone.expect(NOTE, WcOpcode.SEND);
        rightDone.expectArrival(NOTE, WcOpcode.RECV, 0);
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
