package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.Gid;
import io.jverbs.ReceiveWorkRequest;

/** A UD queue pair that is attached to a multicast group, and the buffer that receives its copy of a datagram. */
final class GroupMember implements AutoCloseable {
    private static final int NO_LID = 0;

    private final DatagramQueuePair queuePair;
    private final Gid group;
    private final Buffer target;
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);

    GroupMember(Side side, Gid group, int largest) {
        this.queuePair = new DatagramQueuePair(side);
        this.group = group;
        this.target = Buffer.allocateForDatagrams(side.pd(), largest, Access.LOCAL_WRITE);
        queuePair.qp().attachMulticast(group, NO_LID);
    }

    void prepare(long wrId, int size) {
        target.guard(size);
        queuePair.qp().postReceive(target.setElement(receive.wrId(wrId), size));
    }

    Completions done() {
        return queuePair.done();
    }

    /** Checks the received copy, and that there is no second one. */
    void check(int size, long seed) {
        target.check(size, seed);
        done().expectNone();
    }

    @Override
    public void close() {
        queuePair.qp().detachMulticast(group, NO_LID);
        queuePair.close();
        target.close();
    }
}
