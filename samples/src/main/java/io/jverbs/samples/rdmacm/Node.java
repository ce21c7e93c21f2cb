package io.jverbs.samples.rdmacm;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmId;
import io.jverbs.samples.console.SampleFailure;

/**
 * One ID of a program with its queue pair and its buffer, of which all messages use the beginning. Closing it closes
 * the ID.
 */
final class Node implements AutoCloseable {
    /** The length of the GRH area in the buffer of a datagram; see ibv_post_recv(3). */
    private static final int GRH_BYTES = 40;

    private final CmId id;
    private final Transfer transfer;
    private final Completions completions;
    private final boolean datagrams;
    private ProtectionDomain pd;
    private CompletionQueue sendCq;
    private CompletionQueue receiveCq;
    private MemoryRegion region;
    private QueuePair qp;
    private AddressHandle path;
    private int remoteQpn;
    private int remoteQkey;
    private boolean connected;

    Node(CmId id, Transfer transfer, Completions completions) {
        this.id = id;
        this.transfer = transfer;
        this.completions = completions;
        datagrams = id.qpType() == QpType.UD;
        id.userContext(this);
    }

    /** Returns the node of an ID, null for a listener. */
    static Node of(CmId id) {
        return (Node) id.userContext();
    }

    CmId id() {
        return id;
    }

    boolean connected() {
        return connected;
    }

    void connected(boolean is) {
        connected = is;
    }

    /** Refuses messages that are larger than a datagram can be. */
    void checkSize(String program) {
        int mtu = id.context().queryPort(id.port()).activeMtu().bytes();
        if (transfer.messages() > 0 && transfer.size() > mtu) {
            throw new SampleFailure(program + ": message_size " + transfer.size() + " is larger than active mtu "
                    + mtu);
        }
    }

    /** Creates the queue pair, with room for all messages. */
    void initialize() {
        int depth = Math.max(1, transfer.messages());
        pd = id.context().allocatePd();
        sendCq = completions.createQueue(datagrams ? 2 * depth : depth);
        receiveCq = datagrams ? sendCq : completions.createQueue(depth);
        qp = id.createQueuePair(pd, QpInitAttributes.builder(id.qpType()).sendCq(sendCq).recvCq(receiveCq)
                .maxSendWr(depth).maxRecvWr(depth).signalAll(!datagrams).build());
        if (transfer.messages() > 0) {
            region = pd.allocate(received(), Access.LOCAL_WRITE);
        }
    }

    private int received() {
        return datagrams ? transfer.size() + GRH_BYTES : transfer.size();
    }

    void postReceives() {
        for (int i = 0; i < transfer.messages(); i++) {
            qp.postReceive(ReceiveWorkRequest.create(1).sge(region, 0, received()));
        }
    }

    /** Sets the destination of datagrams. */
    void destination(AhAttributes to, int qpn, int qkey) {
        path = pd.createAddressHandle(to);
        remoteQpn = qpn;
        remoteQkey = qkey;
    }

    /** Posts all messages, if there is a connection. */
    void postSends(boolean signaled) {
        if (!connected || transfer.messages() == 0) {
            return;
        }
        SendWorkRequest message = SendWorkRequest.create(1).sge(region, 0, transfer.size())
                .flags(signaled ? SendFlags.SIGNALED : 0);
        if (datagrams) {
            message.opcode(WrOpcode.SEND_WITH_IMM).immediate(qp.number()).destination(path, remoteQpn, remoteQkey);
        } else {
            message.opcode(WrOpcode.SEND);
        }
        for (int i = 0; i < transfer.messages(); i++) {
            qp.postSend(message);
        }
    }

    void awaitSends() throws InterruptedException {
        if (connected) {
            completions.await(sendCq, transfer.messages());
        }
    }

    /** Waits for all messages. Without a destination, a datagram's sender becomes the destination. */
    void awaitReceives() throws InterruptedException {
        int done = 0;
        while (connected && done < transfer.messages()) {
            done += completions.await(receiveCq);
            if (datagrams && path == null) {
                destination(AddressHandle.replyTo(id.context(), id.port(), completions.polled(), 0, region.segment()),
                        completions.polled().immediate(0), qp.query().qkey());
            }
        }
    }

    @Override
    public void close() {
        if (path != null) {
            path.close();
        }
        id.close();
        if (sendCq != null) {
            sendCq.close();
        }
        if (receiveCq != null && !receiveCq.isClosed()) {
            receiveCq.close();
        }
        if (region != null) {
            region.close();
        }
        if (pd != null) {
            pd.close();
        }
    }
}
