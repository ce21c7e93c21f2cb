package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.LinkLayer;
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
import io.jverbs.samples.SampleFailure;
import java.util.ArrayList;
import java.util.List;

/** One side's queue pairs and what belongs to them, made from a context and closed with it. */
final class Endpoint {
    private final Settings settings;
    private final Transport transport;
    private final boolean ethernet;
    private final int gidIndex;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final Receives receives;
    private final Buffers own;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<SendWorkRequest> requests = new ArrayList<>();
    private final List<Destination> destinations = new ArrayList<>();

    /**
     * Makes queue pairs in INIT with all receives posted.
     *
     * @param context an open device
     * @param settings the options
     * @param transport the service
     * @param shared whether the queue pairs share their receives
     */
    Endpoint(RdmaContext context, Settings settings, Transport transport, boolean shared) {
        this.settings = settings;
        this.transport = transport;
        PortAttributes port = context.queryPort(settings.port());
        transport.checkSize(settings.size(), port);
        this.ethernet = port.linkLayer() == LinkLayer.ETHERNET;
        this.gidIndex = gidIndex(context);
        Gid gid = gid(context, port);
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
            addQueuePair(pd, srq, port.lid(), gid);
        }
        this.own = new Buffers(pd, settings.queuePairs(), 0, settings.size());
        QueuePair only = queuePairs.getFirst();
        this.receives = new Receives(pd, settings, transport.headroom(), shared ? srq::postReceive : only::postReceive);
        receives.fill();
        if (channel != null) {
            cq.requestNotification(false);
        }
    }

    private int gidIndex(RdmaContext context) {
        if (settings.gidIndex() != Settings.NO_GID_INDEX || !ethernet) {
            return settings.gidIndex();
        }
        return context.preferredGid(settings.port()).index();
    }

    private Gid gid(RdmaContext context, PortAttributes port) {
        if (gidIndex == Settings.NO_GID_INDEX) {
            if (port.lid() == 0) {
                throw new SampleFailure("port " + settings.port() + " of " + context.device()
                        + " has no LID: is a subnet manager running?");
            }
            return Gid.ZERO;
        }
        if (gidIndex >= port.gidTableLength()) {
            throw new SampleFailure("--gid-idx " + gidIndex + " is outside 0.." + (port.gidTableLength() - 1)
                    + ", the GID table of port " + settings.port() + " of " + context.device() + ".");
        }
        Gid gid = context.queryGid(settings.port(), gidIndex);
        if (gid.isZero()) {
            throw new SampleFailure("--gid-idx " + gidIndex + ": there is no GID at this place of port "
                    + settings.port() + " of " + context.device() + "; samples/run devinfo -v lists them.");
        }
        return gid;
    }

    private void addQueuePair(ProtectionDomain pd, SharedReceiveQueue srq, int lid, Gid gid) {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(transport.type()).cq(cq).srq(srq).maxSendWr(1)
                .maxRecvWr(srq == null ? settings.receiveDepth() : 0).build());
        transport.initialize(qp, settings.port());
        int inline = qp.capabilities().maxInlineData() >= settings.size() ? SendFlags.INLINE : 0;
        queuePairs.add(qp);
        requests.add(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED | inline)
                .wrId(WrIds.SEND));
        destinations.add(new Destination(lid, qp.number(), Psn.random(), gid));
    }

    /** Connects all queue pairs to the peer's. */
    void connect(List<Destination> peers) {
        for (int i = 0; i < queuePairs.size(); i++) {
            Destination peer = peers.get(i);
            if (peer.qpn() == 0) {
                throw new SampleFailure("the peer has " + i + " queue pairs and this side " + queuePairs.size()
                        + ": give both the same --num-qp.");
            }
            transport.connect(queuePairs.get(i), destinations.get(i), peer, path(peer), settings, requests.get(i));
        }
    }

    private AhAttributes path(Destination peer) {
        // As the C programs, which look no further than the lower half.
        boolean global = peer.gid().low() != 0;
        if (ethernet && !global) {
            throw new SampleFailure("the peer told no GID, but on Ethernet nothing is reached without:"
                    + " start it with --gid-idx.");
        }
        if (global && gidIndex == Settings.NO_GID_INDEX) {
            throw new SampleFailure("the peer told a GID, and so must this side: start it with --gid-idx.");
        }
        AhAttributes.Builder path = AhAttributes.builder().port(settings.port()).dlid(peer.lid())
                .serviceLevel(settings.serviceLevel()).global(global);
        return global
                ? path.destination(peer.gid()).sgidIndex(gidIndex).hopLimit(transport.hopLimit()).build()
                : path.build();
    }

    /** {@return where the queue pairs are reached} */
    List<Destination> destinations() {
        return destinations;
    }

    List<QueuePair> queuePairs() {
        return queuePairs;
    }

    /** {@return for each queue pair the request that sends its messages} */
    List<SendWorkRequest> requests() {
        return requests;
    }

    /** {@return for each queue pair the place of a message that this side makes} */
    Buffers own() {
        return own;
    }

    Receives receives() {
        return receives;
    }

    CompletionQueue cq() {
        return cq;
    }

    /** {@return where events come, null if they are not wanted} */
    CompletionChannel channel() {
        return channel;
    }
}
