package io.jverbs.soft.transport.connection;

import io.jverbs.Access;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.transport.DirectResponder;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.SoftQp;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Padding: keeps the fields of {@link RcResponderState} off the cache lines that other threads write. */
@SuppressWarnings("unused")
abstract class RcResponderPad extends DirectResponder {
    /** In the gap after the object header, where the JVM would lay an int or boolean of a subclass out. */
    private int p0;
    private long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16;
}

/** What a WRITE does not use that is executed directly. */
abstract class RcResponderParts extends RcResponderPad {
    protected final SoftQp qp;
    protected final ReceiveSide receives;
    protected final QpSettings settings;
    protected final RemoteAccess remoteAccess;
    protected final TrafficCounter sent = new TrafficCounter();
    /** The difference between the number of packets received and the position. */
    long packetOffset;

    RcResponderParts(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
        this.settings = qp.settings();
        this.remoteAccess = new RemoteAccess(qp);
    }
}

/**
 * The part of a reliable connection's responder that is the same for requests from the same JVM and from the wire: the
 * expected PSN, the counters, and how requests are refused. Guarded by the responder's lock.
 *
 * <p>
 * The thread of a peer in the same JVM uses these fields, and with many queue pairs in turn it takes as long as the
 * cache misses that it has. Therefore the fields are next to each other. Those that a WRITE does not use are in the
 * superclass, after the padding; the padding after them is in the subclass.
 */
public abstract class RcResponderState extends RcResponderParts {
    /** The opcode of the completion of a SEND. */
    protected static final int RECV = WcOpcode.RECV.code();
    /** The opcode of the completion of a WRITE with immediate. */
    protected static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();
    private static final VarHandle CONFIGURATION;

    static {
        try {
            CONFIGURATION = MethodHandles.lookup().findVarHandle(RcResponderState.class, "configuration", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The entry of the key that a WRITE has named, which may have been revoked. */
    protected KeyEntry target;
    /** Its lowest 24 bits are the expected PSN. It grows by one for each packet, so that it also counts them. */
    private long position;
    /** The number of payload bytes received. */
    private long bytes;
    /** The number of changes of the settings and of the state. */
    private volatile int configuration;
    /** The remote operations that may be executed directly: bits of {@link Access}. */
    private int directAccess;
    /** Whether a NAK was sent for the expected PSN; only one is sent until that PSN arrives. */
    private boolean nakSent;
    /** Whether all packets of a message except the last were executed, and the last one is expected. */
    private boolean midMessage;

    protected RcResponderState(SoftQp qp, ReceiveSide receives) {
        super(qp, receives);
    }

    @Override
    public final void expectPsn(int psn) {
        packetOffset += position - (psn & Psns.MASK);
        position = psn & Psns.MASK;
    }

    @Override
    public final int expectedPsn() {
        return (int) position & Psns.MASK;
    }

    @Override
    public void clear() {
        assert qp.responder().lock().isHeldByCurrentThread();
        nakSent = false;
        midMessage = false;
    }

    @Override
    public final void endDirectAccess() {
        CONFIGURATION.getAndAdd(this, 1);
    }

    @Override
    public final int configuration() {
        return configuration;
    }

    @Override
    public final Traffic traffic() {
        return Traffic.received(position + packetOffset, bytes).plus(sent.sent());
    }

    /** The access of the peer to this queue pair's memory. */
    public final RemoteAccess remoteAccess() {
        return remoteAccess;
    }

    /** The counter of response packets: those with data, and on the wire also acknowledgements. */
    public final TrafficCounter sent() {
        return sent;
    }

    /** Counts packets of a request, and expects the PSN after them. */
    protected final void accept(int count, long length) {
        position += count;
        bytes += length;
    }

    /** Counts the packet of a READ or atomic, and expects the PSN after those of the response. */
    protected final void acceptRead(int packets) {
        packetOffset -= packets - 1;
        position += packets;
    }

    /** Whether a NAK was sent for the expected PSN. */
    protected final boolean isNakSent() {
        return nakSent;
    }

    /** Records whether a NAK was sent for the expected PSN. */
    protected final void nakSent(boolean isSent) {
        nakSent = isSent;
    }

    /** Whether all packets of a message except the last were executed, and the last one is expected. */
    protected final boolean isMidMessage() {
        return midMessage;
    }

    /** Records whether all packets of a message except the last were executed, and the last one is expected. */
    protected final void midMessage(boolean isExpected) {
        midMessage = isExpected;
    }

    /** Reads from the settings which operations may be executed directly until the settings change. */
    protected final void readAccess() {
        int given = settings.accessFlags;
        directAccess = settings.maxDestRdAtomic > 0 ? given : given & ~(Access.REMOTE_READ | Access.REMOTE_ATOMIC);
    }

    /** Whether an operation, a bit of {@link Access}, may be executed directly. */
    protected final boolean permits(int operation) {
        return (directAccess & operation) != 0;
    }

    /** Counts a request after a gap in the PSNs; returns whether a PSN sequence error NAK must be sent for it. */
    protected final boolean psnSequenceError() {
        qp.count(Counter.OUT_OF_SEQUENCE);
        if (nakSent) {
            return false;
        }
        nakSent = true;
        qp.count(Counter.SENT_NAK_SEQUENCE);
        return true;
    }

    /** Moves the queue pair to ERR, then completes the receive request in error, and responds with a NAK. */
    protected final void failReceiveWithNak(Message message, int nak, int status) {
        qp.fail(0);
        receives.completeInError(status);
        reply(message, nak);
    }

    /**
     * Moves the queue pair to ERR, raises an event, because no receive request reports the fault, and responds with a
     * NAK.
     */
    public final void failWithNak(Message message, int nak) {
        qp.fail(nak == Message.NAK_REMOTE_ACCESS_ERROR ? SoftQp.ACCESS_ERROR : SoftQp.REQUEST_ERROR);
        reply(message, nak);
    }

    private void reply(Message message, int nak) {
        message.reply = nak;
        message.replyPsn = expectedPsn();
        switch (nak) {
            case Message.NAK_INVALID_REQUEST -> qp.count(Counter.SENT_NAK_INVALID);
            case Message.NAK_REMOTE_ACCESS_ERROR -> {
                qp.count(Counter.REMOTE_ACCESS);
                qp.count(Counter.SENT_NAK_ACCESS);
            }
            case Message.NAK_REMOTE_OPERATIONAL_ERROR -> qp.count(Counter.SENT_NAK_OPERATION);
            // NO_REPLY: a key that cannot be invalidated
            default -> qp.count(Counter.REMOTE_ACCESS);
        }
    }
}
