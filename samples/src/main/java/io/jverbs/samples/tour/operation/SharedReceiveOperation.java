package io.jverbs.samples.tour.operation;

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

/** SEND alternately over two connections that share a receive queue, whose requests are consumed in order. */
public final class SharedReceiveOperation implements Operation {
    private static final int CONNECTIONS = 2;
    private static final int BUFFERS = 4;

    private final SharedReceiveQueue queue;
    private final Completions received;
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

    public SharedReceiveOperation(Sides sides, int largest) {
        if (sides.right().device().maxSrq() == 0) {
            throw new NotSupported("the device has no shared receive queues");
        }
        this.largest = largest;
        queue = sides.right().pd().createSharedReceiveQueue(SrqInitAttributes.of(BUFFERS, 1));
        received = sides.right().completions(QpType.RC);
        pairs = Stream.generate(() -> ConnectedPair.open(sides, received, queue)).limit(CONNECTIONS).toList();
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
        source.setElement(send.wrId(count), size);
    }

    /** Posts a receive with the whole buffer, as any message may consume it. Its ID is the index of the buffer. */
    private void post(int index) {
        queue.postReceive(targets.get(index).setElement(receive.wrId(index), largest));
    }

    private int index() {
        return (int) ((count - 1) % BUFFERS);
    }

    private Buffer target() {
        return targets.get(index());
    }

    private ConnectedPair pair() {
        return pairs.get((int) (count % CONNECTIONS));
    }

    @Override
    public void run() {
        ConnectedPair pair = pair();
        pair.left().postSend(send);
        pair.leftDone().expect(count, WcOpcode.SEND);
        WorkCompletions completion = received.expect(index(), WcOpcode.RECV, size);
        Mismatch.check("queue pair of the completion", pair.right().number(), completion.qpNumber(0));
    }

    @Override
    public void check() {
        target().check(size, seed);
        post(index());
    }

    @Override
    public void close() {
        pairs.forEach(ConnectedPair::close);
        received.close();
        queue.close();
        source.close();
        targets.forEach(Buffer::close);
    }
}
