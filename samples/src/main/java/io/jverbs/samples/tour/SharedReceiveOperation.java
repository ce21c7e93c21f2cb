package io.jverbs.samples.tour;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.util.List;
import java.util.stream.Stream;

/** SEND by turns over two connections whose receivers share one receive queue: it hands out its requests in order. */
final class SharedReceiveOperation implements Operation {
    private static final int CONNECTIONS = 2;
    private static final int BUFFERS = 4;

    private final SharedReceiveQueue queue;
    private final Completions arrivals;
    private final List<ConnectedPair> pairs;
    private final Buffer source;
    private final List<Buffer> targets;
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private final int largest;
    private boolean posted;
    private long count;
    private int size;
    private long seed;

    SharedReceiveOperation(Sides sides, int largest) {
        if (sides.right().device().maxSrq() == 0) {
            throw new NotOffered("the device has no shared receive queues");
        }
        this.largest = largest;
        queue = sides.right().pd().createSharedReceiveQueue(SrqInitAttributes.of(BUFFERS, 1));
        arrivals = sides.right().completions(QpType.RC);
        pairs = Stream.generate(() -> ConnectedPair.open(sides, arrivals, queue)).limit(CONNECTIONS).toList();
        source = Buffer.allocate(sides.left().pd(), largest, 0);
        targets = Stream.generate(() -> Buffer.allocate(sides.right().pd(), largest, Access.LOCAL_WRITE)).limit(BUFFERS)
                .toList();
    }

    @Override
    public void prepare(int size, long seed) {
        if (!posted) {
            posted = true;
            for (int i = 0; i < BUFFERS; i++) {
                post(i);
            }
        }
        this.size = size;
        this.seed = seed;
        count++;
        source.fill(size, seed);
        target().guard(size);
        source.describe(send.wrId(count), size);
    }

    /** Each request names a whole buffer, as nobody knows which message it will get; its id is its place. */
    private void post(int place) {
        queue.postReceive(targets.get(place).describe(receive.wrId(place), largest));
    }

    private int place() {
        return (int) ((count - 1) % BUFFERS);
    }

    private Buffer target() {
        return targets.get(place());
    }

    private ConnectedPair pair() {
        return pairs.get((int) (count % CONNECTIONS));
    }

    @Override
    public void run() {
        ConnectedPair pair = pair();
        pair.left().postSend(send);
        pair.leftDone().expect(count, WcOpcode.SEND);
        WorkCompletions arrival = arrivals.expectArrival(place(), WcOpcode.RECV, size);
        Mismatch.check("queue pair of the arrival", pair.right().number(), arrival.qpNumber(0));
    }

    @Override
    public void check() {
        target().check(size, seed);
        post(place());
    }

    @Override
    public void close() {
        pairs.forEach(ConnectedPair::close);
        arrivals.close();
        queue.close();
        source.close();
        targets.forEach(Buffer::close);
    }
}
