package io.jverbs.samples.nodes;

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
public final class Node implements AutoCloseable {
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

    /**
     * Creates the node of an ID, which becomes its user context.
     *
     * @param id the ID
     * @param transfer what is transferred
     * @param completions waits for its completions
     */
    public Node(CmId id, Transfer transfer, Completions completions) {
        this.id = id;
        this.transfer = transfer;
        this.completions = completions;
        datagrams = id.qpType() == QpType.UD;
        id.userContext(this);
    }

    /**
     * {@return the node of an ID, null for a listener}
     *
     * @param id the ID
     */
    public static Node of(CmId id) {
        return (Node) id.userContext();
    }

    /** {@return the ID} */
    public CmId id() {
        return id;
    }

    /** {@return whether it has a connection, or a destination for datagrams} */
    public boolean connected() {
        return connected;
    }

    /**
     * Sets whether it has a connection, or a destination for datagrams.
     *
     * @param is whether it has
     */
    public void connected(boolean is) {
        connected = is;
    }

    /**
     * Refuses messages that are larger than a datagram can be.
     *
     * @param program the program's name, which begins the message
     * @throws SampleFailure if the messages are larger than the MTU
     */
    public void checkSize(String program) {
        int mtu = id.context().queryPort(id.port()).activeMtu().bytes();
        if (transfer.messages() > 0 && transfer.size() > mtu) {
            throw new SampleFailure(program + ": message_size " + transfer.size() + " is larger than active mtu "
                    + mtu);
        }
    }

    /** Creates the queue pair, with room for all messages. */
    public void initialize() {
        initialize(false);
    }

    /**
     * Creates the queue pair, with room for all messages.
     *
     * @param blockLoopback whether it does not receive the multicast packets that it sends itself
     */
    public void initialize(boolean blockLoopback) {
        int depth = Math.max(1, transfer.messages());
        pd = id.context().allocatePd();
        sendCq = completions.createQueue(datagrams ? 2 * depth : depth);
        receiveCq = datagrams ? sendCq : completions.createQueue(depth);
        qp = id.createQueuePair(pd, QpInitAttributes.builder(id.qpType()).sendCq(sendCq).recvCq(receiveCq)
                .maxSendWr(depth).maxRecvWr(depth).signalAll(!datagrams)
                .blockSelfMulticastLoopback(blockLoopback).build());
        if (transfer.messages() > 0) {
            region = pd.allocate(received(), Access.LOCAL_WRITE);
        }
    }

    private int received() {
        return datagrams ? transfer.size() + GRH_BYTES : transfer.size();
    }

    /** Posts a receive request for each message. */
    public void postReceives() {
        for (int i = 0; i < transfer.messages(); i++) {
            qp.postReceive(ReceiveWorkRequest.create(1).sge(region, 0, received()));
        }
    }

    /**
     * Sets the destination of datagrams.
     *
     * @param to the path
     * @param qpn the number of the queue pair, or of a multicast group
     * @param qkey the Q_Key
     */
    public void destination(AhAttributes to, int qpn, int qkey) {
        path = pd.createAddressHandle(to);
        remoteQpn = qpn;
        remoteQkey = qkey;
    }

    /**
     * Posts all messages, if there is a connection.
     *
     * @param signaled whether each generates a completion
     */
    public void postSends(boolean signaled) {
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

    /**
     * Waits until all messages are sent.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitSends() throws InterruptedException {
        if (connected) {
            completions.await(sendCq, transfer.messages());
        }
    }

    /**
     * Waits for all messages. Without a destination, a datagram's sender becomes the destination.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitReceives() throws InterruptedException {
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
