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
import io.jverbs.samples.connect.LocalAddress;
import io.jverbs.samples.console.SampleFailure;
import java.util.ArrayList;
import java.util.List;

/** The verbs objects of one side: queue pairs, completion queue, buffers. They are closed with the context. */
final class Endpoint {
    private final Settings settings;
    private final Transport transport;
    private final LocalAddress address;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final Receives receives;
    private final Buffers own;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<SendWorkRequest> requests = new ArrayList<>();
    private final List<Destination> destinations = new ArrayList<>();

    /**
     * Creates queue pairs in state INIT with all receives posted.
     *
     * @param context an open device
     * @param settings the options
     * @param transport the transport service
     * @param shared whether the queue pairs share a receive queue
     */
    Endpoint(RdmaContext context, Settings settings, Transport transport, boolean shared) {
        this.settings = settings;
        this.transport = transport;
        PortAttributes port = context.queryPort(settings.port());
        transport.checkSize(settings.size(), port);
        this.address = LocalAddress.of(context, settings.port(), port, "--gid-idx", settings.gidIndex());
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
            addQueuePair(pd, srq);
        }
        this.own = new Buffers(pd, settings.queuePairs(), 0, settings.size());
        QueuePair only = queuePairs.getFirst();
        this.receives = new Receives(pd, settings, transport.headroom(), shared ? srq::postReceive : only::postReceive);
        receives.fill();
        if (channel != null) {
            cq.requestNotification(false);
        }
    }

    private void addQueuePair(ProtectionDomain pd, SharedReceiveQueue srq) {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(transport.type()).cq(cq).srq(srq).maxSendWr(1)
                .maxRecvWr(srq == null ? settings.receiveDepth() : 0).build());
        transport.initialize(qp, settings.port());
        int inline = qp.capabilities().maxInlineData() >= settings.size() ? SendFlags.INLINE : 0;
        queuePairs.add(qp);
        requests.add(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED | inline)
                .wrId(WrIds.SEND));
        destinations.add(new Destination(address.lid(), qp.number(), Psn.random(), address.gid()));
    }

    /** Connects all queue pairs to the peer's. */
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
