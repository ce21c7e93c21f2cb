package io.jverbs.samples.perftest.run;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.AtomicCapability;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.LinkLayer;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.PortAttributes;
import io.jverbs.ProtectionDomain;
import io.jverbs.Psn;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WrOpcode;
import io.jverbs.samples.connect.LocalAddress;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.connect.CmConnections;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The verbs objects of one side: queue pair, memory, requests. They are closed with the context. */
public final class Side {
    static final long SENT = 1;
    static final long RECEIVED = 2;

    private static final int QKEY = 0x1111_1111;
    /** The length of the global routing header before a received datagram; see ibv_post_recv(3). */
    private static final int GRH_BYTES = 40;
    private static final int PAGE = 4096;
    private static final int HOP_LIMIT = 64;
    /** The code of 0.64 ms. */
    private static final int MIN_RNR_TIMER = 12;
    private static final int RETRIES = 7;
    /** The inline sizes that perftest uses by default in latency tests. */
    private static final int INLINE_WRITE = 220;
    private static final int INLINE_SEND = 236;
    private static final int INLINE_DATAGRAM = 188;

    private final Settings settings;
    /** Null without option -R. */
    private final CmConnections cm;
    private final Mtu mtu;
    private final DeviceAttributes device;
    private final LocalAddress address;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final long stride;
    private final int receives;
    private final int inlineSize;
    private final int outstanding;
    private final PeerAddress own;
    private final ReceiveWorkRequest receive;
    private PeerAddress peer;
    private SendWorkRequest[] sends;
    private SendWorkRequest signaled;

    /**
     * Creates a queue pair in INIT with its receives posted.
     *
     * @param context the open device
     * @param settings the options
     * @param mtu the path MTU
     * @param largest the length of the longest message in bytes
     * @param page the size of a page in bytes, within which a C program moves the addresses of small messages
     * @param cm what connects the queue pair when it is created; null if {@link #connect} does
     */
    public Side(RdmaContext context, Settings settings, Mtu mtu, int largest, int page, CmConnections cm) {
        this.settings = settings;
        this.cm = cm;
        this.mtu = mtu;
        this.device = context.queryDevice();
        checkVerb(context);
        PortAttributes port = context.queryPort(settings.port());
        LocalAddress chosen = cm != null
                ? null
                : LocalAddress.of(context, settings.port(), port, "--gid-index", settings.gidIndex());
        this.outstanding = outstanding();
        ProtectionDomain pd = context.allocatePd();
        this.receives = settings.verb() == Verb.SEND ? Math.min(settings.rxDepth(), device.maxQpWr()) : 0;
        this.channel = settings.events() ? context.createCompletionChannel() : null;
        int completions = settings.txDepth() + receives;
        this.cq = channel == null
                ? context.createCompletionQueue(completions)
                : context.createCompletionQueue(completions, channel);
        this.qp = createQueuePair(pd);
        this.address = cm == null
                ? chosen
                : new LocalAddress(port.linkLayer() == LinkLayer.ETHERNET, port.lid(), LocalAddress.NO_GID_INDEX,
                        cm.test().localGid());
        this.inlineSize = settings.verb().fetches() ? 0 : Math.min(wantedInline(), qp.capabilities().maxInlineData());
        long unit = Math.max(page, PAGE);
        this.stride = (Math.max(largest, Long.BYTES) + GRH_BYTES + unit - 1) / unit * unit;
        this.region = allocate(pd, largest);
        if (cm == null) {
            qp.modify(initialization());
        }
        this.receive = ReceiveWorkRequest.create(1).wrId(RECEIVED).sge(region, stride, headroom() + (long) largest);
        for (int i = 0; i < receives; i++) {
            qp.postReceive(receive);
        }
        this.own = new PeerAddress(address.lid(), outstanding, qp.number(), Psn.random(), region.rkey(),
                region.address() + stride, address.gid(), 0);
        if (channel != null) {
            cq.requestNotification(false);
        }
    }

    private void checkVerb(RdmaContext context) {
        if (settings.verb() == Verb.ATOMIC && device.atomicCapability() == AtomicCapability.NONE) {
            throw new SampleFailure(context.device() + " has no atomic operations.");
        }
    }

    private QueuePair createQueuePair(ProtectionDomain pd) {
        QpInitAttributes.Builder attributes = QpInitAttributes.builder(settings.connection()).cq(cq)
                .maxSendWr(settings.txDepth()).maxRecvWr(Math.max(receives, 1));
        try {
            return create(pd, attributes.maxInlineData(wantedInline()).build());
        } catch (VerbsException e) {
            boolean created = cm != null && (cm.test() == null || cm.test().queuePair() != null);
            boolean refused = !created && (e.error() == Errno.EINVAL || e.error() == Errno.ENOMEM);
            if (settings.inlineSize() != Settings.DEFAULT_INLINE || wantedInline() == 0 || !refused) {
                throw e;
            }
            // the device does not support the default inline size
            return create(pd, attributes.maxInlineData(0).build());
        }
    }

    private QueuePair create(ProtectionDomain pd, QpInitAttributes attributes) {
        return cm == null
                ? pd.createQueuePair(attributes)
                : cm.connect(pd, attributes, settings.verb().fetches() ? outstanding : 0,
                        settings.latency() || settings.bidirectional());
    }

    private int wantedInline() {
        if (settings.inlineSize() != Settings.DEFAULT_INLINE) {
            return settings.inlineSize();
        }
        if (!settings.latency() || settings.verb().fetches()) {
            return 0;
        }
        if (settings.verb() == Verb.WRITE) {
            return INLINE_WRITE;
        }
        return settings.connection() == QpType.UD ? INLINE_DATAGRAM : INLINE_SEND;
    }

    private int outstanding() {
        if (!settings.verb().fetches()) {
            return 1;
        }
        int most = Math.min(device.maxQpRdAtom(), device.maxQpInitRdAtom());
        if (settings.outstanding() > most) {
            throw new UsageFailure("--outs " + settings.outstanding() + " is outside 1.." + most
                    + ", the limit of the device.");
        }
        return settings.outstanding() == 0 ? most : settings.outstanding();
    }

    private MemoryRegion allocate(ProtectionDomain pd, int largest) {
        try {
            return pd.allocate(2 * stride, Access.LOCAL_WRITE | settings.verb().access());
        } catch (OutOfMemoryError e) {
            throw new SampleFailure("not enough memory for messages of " + largest
                    + " bytes: choose a smaller --size.");
        }
    }

    /** {@return the number of header bytes before a received message} */
    int headroom() {
        return settings.connection() == QpType.UD ? GRH_BYTES : 0;
    }

    private QpAttributes initialization() {
        QpAttributes.Builder attributes = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(settings.port());
        return settings.connection() == QpType.UD
                ? attributes.qkey(QKEY).build()
                : attributes.accessFlags(settings.verb().access()).build();
    }

    /** Connects the queue pair to the peer's, unless rdma_cm has done so, and creates the requests. */
    public void connect(PeerAddress to) {
        peer = to;
        if (cm != null) {
            prepare(cm.path(), cm.remoteQpn(), cm.remoteQkey());
            return;
        }
        AhAttributes path = address.path(settings.port(), to.lid(), to.gid(), settings.serviceLevel(), HOP_LIMIT,
                "--gid-index");
        QpAttributes.Builder receiving = QpAttributes.builder().state(QpState.RTR);
        QpAttributes.Builder sending = QpAttributes.builder().state(QpState.RTS).sqPsn(own.psn());
        if (settings.connection() != QpType.UD) {
            receiving.addressVector(path).pathMtu(mtu).destinationQpn(to.qpn()).rqPsn(to.psn());
        }
        if (settings.connection() == QpType.RC) {
            receiving.maxDestRdAtomic(outstanding).minRnrTimer(MIN_RNR_TIMER);
            sending.timeout(settings.timeout()).retryCount(RETRIES).rnrRetry(RETRIES)
                    .maxRdAtomic(Math.min(outstanding, to.reads()));
        }
        qp.modify(receiving.build());
        qp.modify(sending.build());
        prepare(path, to.qpn(), QKEY);
    }

    private void prepare(AhAttributes path, int qpn, int qkey) {
        sends = new SendWorkRequest[settings.postList()];
        for (int i = sends.length - 1; i >= 0; i--) {
            sends[i] = request().next(i + 1 < sends.length ? sends[i + 1] : null);
        }
        signaled = request();
        if (settings.connection() == QpType.UD && path != null) {
            var handle = qp.pd().createAddressHandle(path);
            for (SendWorkRequest send : sends) {
                send.destination(handle, qpn, qkey);
            }
            signaled.destination(handle, qpn, qkey);
        }
    }

    private SendWorkRequest request() {
        SendWorkRequest request = SendWorkRequest.create(1).wrId(SENT);
        return switch (settings.verb()) {
            case SEND -> request.opcode(WrOpcode.SEND);
            case WRITE -> request.opcode(WrOpcode.RDMA_WRITE).remote(peer.address(), peer.rkey());
            case READ -> request.opcode(WrOpcode.RDMA_READ).remote(peer.address(), peer.rkey());
            case ATOMIC -> settings.compareAndSwap()
                    ? request.compareAndSwap(peer.address(), peer.rkey(), 0, 1)
                    : request.fetchAndAdd(peer.address(), peer.rkey(), 1);
        };
    }

    /** Sets the length and the flags of the requests for messages of a size. */
    void setSize(int size) {
        int inline = size <= inlineSize ? SendFlags.INLINE : 0;
        for (int i = 0; i < sends.length; i++) {
            boolean isSignaled = sends.length > 1 && (i + 1) % settings.cqMod() == 0;
            sends[i].sge(region, 0, size).flags(inline | (isSignaled ? SendFlags.SIGNALED : 0));
        }
        signaled.sge(region, 0, size).flags(inline | SendFlags.SIGNALED);
    }

    /** {@return the request, or the first request of the list, that is posted repeatedly} */
    SendWorkRequest send() {
        return sends[0];
    }

    /** {@return the signaled variant of the request; not for lists} */
    SendWorkRequest signaled() {
        return signaled;
    }

    ReceiveWorkRequest receive() {
        return receive;
    }

    /** Clears the last byte of the memory into which the peer writes messages of a size. */
    void clear(int size) {
        incoming().set(ValueLayout.JAVA_BYTE, size - 1L, (byte) 0);
    }

    /** {@return the memory from which this side sends} */
    MemorySegment outgoing() {
        return region.segment().asSlice(0, stride);
    }

    /** {@return the memory into which the peer writes} */
    MemorySegment incoming() {
        return region.segment().asSlice(stride, stride);
    }

    QueuePair qp() {
        return qp;
    }

    CompletionQueue cq() {
        return cq;
    }

    /** {@return the completion channel, null without option -e} */
    CompletionChannel channel() {
        return channel;
    }

    /** {@return the address of this side} */
    public PeerAddress own() {
        return own;
    }

    /** {@return the path MTU} */
    public Mtu mtu() {
        return mtu;
    }

    /** {@return the length up to which messages are sent inline} */
    public int inlineSize() {
        return inlineSize;
    }

    /** {@return the largest number of outstanding READs and atomics} */
    public int outstandingReads() {
        return outstanding;
    }

    /** {@return the number of posted receives} */
    public int receives() {
        return receives;
    }

    /** {@return the index of the local GID, {@link LocalAddress#NO_GID_INDEX} if no GID is used} */
    public int gidIndex() {
        return address.gidIndex();
    }
}
