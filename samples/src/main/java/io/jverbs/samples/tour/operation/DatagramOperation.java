package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;

/**
 * SEND of a datagram. There is no connection: each request has a destination, and the receive buffer has a 40-byte GRH.
 */
public final class DatagramOperation implements Operation {
    private final DatagramQueuePair left;
    private final DatagramQueuePair right;
    private final AddressHandle path;
    private final Buffer source;
    private final Buffer target;
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private long wrId;
    private int size;
    private long seed;

    public DatagramOperation(Sides sides, int largest) {
        left = new DatagramQueuePair(sides.left());
        right = new DatagramQueuePair(sides.right());
        path = left.pathTo(sides.right().gid().gid());
        send.destination(path, right.qp().number(), DatagramQueuePair.QKEY);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        target = Buffer.allocateForDatagrams(sides.right().pd(), largest, Access.LOCAL_WRITE);
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        target.guard(size);
        source.setElement(send.wrId(wrId), size);
        right.qp().postReceive(target.setElement(receive.wrId(wrId), size));
    }

    @Override
    public void run() {
        left.qp().postSend(send);
        left.done().expect(wrId, WcOpcode.SEND);
        WorkCompletions received = right.done().expect(wrId, WcOpcode.RECV, Buffer.GRH_BYTES + size);
        Mismatch.check("GRH flag", WcFlags.GRH, received.flags(0) & WcFlags.GRH);
        Mismatch.check("source queue pair", left.qp().number(), received.sourceQp(0));
    }

    @Override
    public void check() {
        target.check(size, seed);
    }

    @Override
    public void close() {
        path.close();
        left.close();
        right.close();
        source.close();
        target.close();
    }
}
