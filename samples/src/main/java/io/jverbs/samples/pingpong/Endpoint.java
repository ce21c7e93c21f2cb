package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.PortAttributes;
import io.jverbs.ProtectionDomain;
import io.jverbs.Psn;
import io.jverbs.QpInitAttributes;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.WrOpcode;
import io.jverbs.samples.connect.CmConnections;
import io.jverbs.samples.connect.LocalAddress;
import io.jverbs.samples.console.SampleFailure;
import java.util.ArrayList;
import java.util.List;

/** The verbs objects of one side: queue pairs, completion queue, buffers. They are closed with the context. */
final class Endpoint {
    private final Settings settings;
    private final Transport transport;
    /** Null without option -R. */
    private final CmConnections cm;
    /** Null with option -R. */
    private final LocalAddress address;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final Receives receives;
    private final Buffers own;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<SendWorkRequest> requests = new ArrayList<>();
    private final List<Destination> destinations = new ArrayList<>();

    /**
     * Creates queue pairs in state INIT, with rdma_cm in RTS, with all receives posted.
     *
     * @param context an open device
     * @param settings the options
     * @param transport the transport service
     * @param shared whether the queue pairs share a receive queue
     * @param cm what connects the queue pairs when they are created; null if {@link #connect} does
     */
    Endpoint(RdmaContext context, Settings settings, Transport transport, boolean shared, CmConnections cm) {
        this.settings = settings;
        this.transport = transport;
        this.cm = cm;
        PortAttributes port = context.queryPort(settings.port());
        transport.checkSize(settings.size(), port);
        this.address = cm != null
                ? null
                : LocalAddress.of(context, settings.port(), port, "--gid-idx", settings.gidIndex());
        ProtectionDomain pd = context.allocatePd();
        this.channel = settings.events() ? context.createCompletionChannel() : null;
        int completions = settings.receiveDepth() + settings.queuePairs();
        this.cq = channel == null
                ? context.createCompletionQueue(completions)
                : context.createCompletionQueue(completions, channel);
        SharedReceiveQueue srq = shared
                ? pd.createSharedReceiveQueue(SrqInitAttributes.of(settings.receiveDepth(), 1))
                : null;
        for (int i = 0; i < settings.queuePairs(); i++) {
            addQueuePair(pd, srq, port.lid());
        }
        this.own = new Buffers(pd, settings.queuePairs(), 0, settings.size());
        QueuePair only = queuePairs.getFirst();
        this.receives = new Receives(pd, settings, transport.headroom(), shared ? srq::postReceive : only::postReceive);
        receives.fill();
        if (channel != null) {
            cq.requestNotification(false);
        }
    }

    private void addQueuePair(ProtectionDomain pd, SharedReceiveQueue srq, int lid) {
        QpInitAttributes attributes = QpInitAttributes.builder(transport.type()).cq(cq).srq(srq).maxSendWr(1)
                .maxRecvWr(srq == null ? settings.receiveDepth() : 0).build();
        QueuePair qp = cm == null ? pd.createQueuePair(attributes) : cm.connect(pd, attributes, 0, true);
        if (cm == null) {
            transport.initialize(qp, settings.port());
        }
        int inline = qp.capabilities().maxInlineData() >= settings.size() ? SendFlags.INLINE : 0;
        queuePairs.add(qp);
        SendWorkRequest request = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED | inline)
                .wrId(WrIds.SEND);
        if (cm != null && cm.path() != null) {
            request.destination(pd.createAddressHandle(cm.path()), cm.remoteQpn(), cm.remoteQkey());
        }
        requests.add(request);
        destinations.add(new Destination(lid, qp.number(), Psn.random(),
                cm == null ? address.gid() : cm.test().localGid()));
    }

    /** Connects all queue pairs to the peer's; not with rdma_cm. */
    void connect(List<Destination> peers) {
        for (int i = 0; i < queuePairs.size(); i++) {
            Destination peer = peers.get(i);
            if (peer.qpn() == 0) {
                throw new SampleFailure("the peer has " + i + " queue pairs and this side has " + queuePairs.size()
                        + ": start both sides with the same --num-qp.");
            }
            AhAttributes path = address.path(settings.port(), peer.lid(), peer.gid(), settings.serviceLevel(),
                    transport.hopLimit(), "--gid-idx");
            transport.connect(queuePairs.get(i), destinations.get(i), peer, path, settings, requests.get(i));
        }
    }

    /** {@return the destinations of the queue pairs} */
    List<Destination> destinations() {
        return destinations;
    }

    List<QueuePair> queuePairs() {
        return queuePairs;
    }

    /** {@return the send request of each queue pair} */
    List<SendWorkRequest> requests() {
        return requests;
    }

    /** {@return the buffers of messages that this side generates: one slot for each queue pair} */
    Buffers own() {
        return own;
    }

    Receives receives() {
        return receives;
    }

    CompletionQueue cq() {
        return cq;
    }

    /** {@return the completion channel, null without option -e} */
    CompletionChannel channel() {
        return channel;
    }
}
