package io.jverbs.samples.tour;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;

/** SEND of a datagram: no connection, each names its destination, and finds room for 40 bytes of header before it. */
final class DatagramOperation implements Operation {
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

    DatagramOperation(Sides sides, int largest) {
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
        source.describe(send.wrId(wrId), size);
        right.qp().postReceive(target.describe(receive.wrId(wrId), size));
    }

    @Override
    public void run() {
        left.qp().postSend(send);
        left.done().expect(wrId, WcOpcode.SEND);
        WorkCompletions arrival = right.done().expectArrival(wrId, WcOpcode.RECV, Buffer.GRH_BYTES + size);
        Mismatch.check("GRH flag", WcFlags.GRH, arrival.flags(0) & WcFlags.GRH);
        Mismatch.check("source queue pair", left.qp().number(), arrival.sourceQp(0));
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
