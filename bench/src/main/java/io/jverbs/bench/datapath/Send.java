package io.jverbs.bench.datapath;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Quick;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** SEND and RECV: post_recv on one side, post_send on the other, poll_cq on both. */
@Fork(5)
@Quick(value = "bytes=64", without = {"copy", "handWrittenMessages"})
public class Send extends CopyComparison {
    /** The number of bytes to send. */
    @Param({"8", "64", "4096", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    private SendWorkRequest send;
    private ReceiveWorkRequest receive;
    private HandWrittenMessages messages;
    private MemorySegment messageSend;
    private MemorySegment messageReceive;

    /** For JMH. */
    public Send() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected void prepare() {
        send = loop.request(WrOpcode.SEND);
        receive = loop.receive();
        HandWrittenPath regions = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
        int sourceKey = regions.register(1, loop.source().segment());
        int targetKey = regions.register(2, loop.target().segment());
        messages = new HandWrittenMessages(regions);
        messageSend = SendWorkRequest.create(1).opcode(WrOpcode.SEND)
                .sge(0, loop.source().address(), bytes, sourceKey).memory();
        messageReceive = ReceiveWorkRequest.create(1).sge(0, loop.target().address(), bytes, targetKey).memory();
    }

    /** {@return 2, the number of completions of both sides} */
    @Benchmark
    @Against("handWritten")
    @Against("handWrittenMessages")
    @Against("copy")
    public int prepared() {
        loop.peer().postReceive(receive);
        loop.qp().postSend(send);
        return Loopback.await(loop.cq(), completion) + Loopback.await(loop.peerCq(), completion);
    }

    /** {@return 2, the number of completions of both sides, by hand: as many compare-and-sets as the device needs} */
    @Benchmark
    @Baseline
    public int handWrittenMessages() {
        messages.receive(messageReceive);
        messages.send(messageSend);
        return messages.pollSent(completion.memory(), 1) + messages.pollReceived(completion.memory(), 1);
    }
}
