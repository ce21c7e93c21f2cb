package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;

/** SEND: a message is written to the buffer of a receive that the peer has posted. */
public final class SendOperation implements Operation {
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer target;
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private long wrId;
    private int size;
    private long seed;

    public SendOperation(Sides sides, QpType type, int largest) {
        pair = ConnectedPair.open(type, sides);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        target = Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE);
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        target.guard(size);
        source.setElement(send.wrId(wrId), size);
        pair.right().postReceive(target.setElement(receive.wrId(wrId), size));
    }

    @Override
    public void run() {
        pair.left().postSend(send);
        pair.leftDone().expect(wrId, WcOpcode.SEND);
        pair.rightDone().expect(wrId, WcOpcode.RECV, size);
    }

    @Override
    public void check() {
        target.check(size, seed);
    }

    @Override
    public void close() {
        pair.close();
        source.close();
        target.close();
    }
}
