package io.jverbs.soft.rsocket.datagram;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;

/** A UDP socket and a UD queue pair at the same address and port, which can send anything. */
final class DatagramSender implements AutoCloseable {
    private static final int QKEY = 0x0123_4567;

    private final RdmaContext context;
    private final DatagramChannel udp = DatagramChannel.open();
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private final CmEventChannel events;
    private final CmId id;
    private final QueuePair qp;

    DatagramSender(String where) throws IOException {
        context = Verbs.open(DatagramPair.selector(where));
        udp.bind(DatagramPair.anyPort(context));
        pd = context.allocatePd();
        cq = context.createCompletionQueue(64);
        region = pd.allocate(4096, Access.LOCAL_WRITE);
        events = CmEventChannel.create(context);
        id = events.createId(PortSpace.UDP);
        id.bind(address());
        qp = id.createQueuePair(pd, QpInitAttributes.builder(QpType.UD).cq(cq).build());
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) udp.getLocalAddress();
    }

    int number() {
        return qp.number();
    }

    void sendUdp(ByteBuffer datagram, InetSocketAddress to) throws IOException {
        udp.send(datagram.duplicate(), to);
    }

    /** Returns the next UDP datagram. */
    ByteBuffer receiveUdp() throws IOException {
        ByteBuffer into = ByteBuffer.allocate(4096);
        udp.socket().setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
        udp.receive(into);
        return into.flip();
    }

    /** Sends a message to a queue pair, and waits until it was sent. */
    void send(ByteBuffer message, InetAddress to, int number) throws InterruptedException {
        Gid gid = Gid.ofAddress(to);
        region.segment().asByteBuffer().put(0, message, message.position(), message.remaining());
        try (AddressHandle path = pd.createAddressHandle(
                AhAttributes.to(gid, 1, context.preferredGid(1).index()))) {
            qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                    .sge(region, 0, message.remaining()).destination(path, number, QKEY));
            WorkCompletions completions = WorkCompletions.create(1);
            DatagramPair.await("the completion", () -> cq.poll(completions) == 1);
        }
    }

    @Override
    public void close() throws IOException {
        udp.close();
        id.close();
        events.close();
        context.close();
    }
}
