package io.jverbs.samples.tour.operation;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;

/** SEND to a receiver that waits for a completion event instead of polling. */
public final class EventDrivenOperation implements Operation {
    private final CompletionChannel channel;
    private final Completions received;
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer target;
    private final EventLoop loop;
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private long wrId;
    private int size;
    private long seed;

    public EventDrivenOperation(Sides sides, int largest) {
        channel = sides.right().context().createCompletionChannel();
        received = sides.right().completions(channel);
        pair = ConnectedPair.open(sides, received, null);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        target = Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE);
        loop = new EventLoop(channel, received.queue());
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
        EventLoop.Completion completion = loop.next();
        pair.leftDone().expect(wrId, WcOpcode.SEND);
        Mismatch.check("completion", new EventLoop.Completion(wrId, WcStatus.SUCCESS, WcOpcode.RECV, size), completion);
    }

    @Override
    public void check() {
        target.check(size, seed);
    }

    @Override
    public void close() {
        loop.close();
        pair.close();
        received.close();
        channel.close();
        source.close();
        target.close();
    }
}
