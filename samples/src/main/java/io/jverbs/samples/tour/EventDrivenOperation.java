package io.jverbs.samples.tour;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;

/** SEND to a receiver that does not poll: it sleeps, and a completion event wakes it. */
final class EventDrivenOperation implements Operation {
    private final CompletionChannel channel;
    private final Completions arrivals;
    private final ConnectedPair pair;
    private final Buffer source;
    private final Buffer target;
    private final EventLoop loop;
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private long wrId;
    private int size;
    private long seed;

    EventDrivenOperation(Sides sides, int largest) {
        channel = sides.right().context().createCompletionChannel();
        arrivals = sides.right().completions(channel);
        pair = ConnectedPair.open(sides, arrivals, null);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        target = Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE);
        loop = new EventLoop(channel, arrivals.queue());
    }

    @Override
    public void prepare(int size, long seed) {
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        target.guard(size);
        source.describe(send.wrId(wrId), size);
        pair.right().postReceive(target.describe(receive.wrId(wrId), size));
    }

    @Override
    public void run() {
        pair.left().postSend(send);
        EventLoop.Arrival arrival = loop.next();
        pair.leftDone().expect(wrId, WcOpcode.SEND);
        Mismatch.check("arrival", new EventLoop.Arrival(wrId, WcStatus.SUCCESS, WcOpcode.RECV, size), arrival);
    }

    @Override
    public void check() {
        target.check(size, seed);
    }

    @Override
    public void close() {
        loop.close();
        pair.close();
        arrivals.close();
        channel.close();
        source.close();
        target.close();
    }
}
