package io.jverbs.soft.transport;

import io.jverbs.AsyncEventType;
import io.jverbs.QpCapabilities;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.congestion.PathWindowUser;
import io.jverbs.soft.journal.FailureReport;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.journal.Subject;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.memory.KeyCheck;
import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.DeadlineScan;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.RareCounters;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.PostErrors;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.IntSupplier;

/**
 * A queue pair, see ibv_create_qp(3): the state and the attributes, a {@link Requester} with the send queue, and a
 * {@link Responder} with the receive queue.
 *
 * <p>
 * Each half has a lock. The requester's lock is acquired before the responder's, unless the requester uses the lock of
 * a peer's responder (see {@code SendLock}). A failure changes the state to ERR or SQE with the lock of one half held;
 * every other transition needs both. Flushes and asynchronous events are {@link DeferredWork}: they are performed after
 * the locks are released.
 */
public final class SoftQp extends SoftQpState implements Handle.Qp, DirectTable.Numbered, Subject, PathWindowUser {
    // bits of deferred work, see perform()
    static final int FLUSH_SEND = 1;
    static final int FLUSH_RECEIVE = 1 << 1;
    static final int COMM_EST = 1 << 2;
    /** Raises QP_ACCESS_ERR. */
    public static final int ACCESS_ERROR = 1 << 3;
    /** Raises QP_REQ_ERR. */
    public static final int REQUEST_ERROR = 1 << 4;
    static final int FATAL = 1 << 5;
    static final int SQ_DRAINED = 1 << 6;
    static final int LAST_WQE = 1 << 7;
    static final int RESUME_SEND = 1 << 8;
    static final int FAILED = 1 << 9;
    static final int LOST_MEMORY = 1 << 10;
    static final int UNEXPECTED = 1 << 11;
    static final int CREDITS = 1 << 12;

    private static final AtomicIntegerFieldUpdater<SoftQpState> STATE = AtomicIntegerFieldUpdater
            .newUpdater(SoftQpState.class, "state");

    /**
     * The objects and sizes that a queue pair is created with, see {@code struct ibv_qp_init_attr}.
     *
     * @param service the transport service
     * @param capabilities the sizes granted
     * @param signalAll whether every send request generates a completion
     * @param blockSelfMulticastLoopback whether it does not receive the multicast packets that it sends itself
     * @param domain the protection domain
     * @param sendCq the completion queue of send requests
     * @param recvCq the completion queue of receive requests
     * @param srq the shared receive queue, or null
     */
    public record Parts(ServiceType service, QpCapabilities capabilities, boolean signalAll,
            boolean blockSelfMulticastLoopback, SoftPd domain, CompletionQueueCore sendCq, CompletionQueueCore recvCq,
            SoftSrq srq) {}

    /**
     * The parts of the device that a queue pair uses.
     *
     * @param keyTable the memory regions and windows
     * @param port the port
     * @param localPeers finds peers in the same JVM
     * @param timers the clock and the timers
     * @param scan watches the deadlines of all queue pairs that rarely pass
     * @param deferredQueue the queue of deferred work
     * @param maxMessage the maximum length of a message in bytes
     * @param wire the network outside the JVM
     * @param psns generates first PSNs, see {@link Handle.Qp#firstPsn}
     */
    public record Environment(KeyTable keyTable, Port port, LocalPeers localPeers, Timers timers, DeadlineScan scan,
            DeferredQueue deferredQueue, long maxMessage, PacketNetwork wire, IntSupplier psns) {}

    private final Requester requester;
    private final FastPath fastPath;
    private final Responder responder;
    private final Parts parts;
    private final Environment environment;
    private final QpSettings settings = new QpSettings();
    private final KeyCheck requesterKeys;
    private final KeyCheck responderKeys;
    private final RareCounters counters = new RareCounters();
    private final PostErrors postErrors = new PostErrors();
    private final QpEvents events;
    private final FailureReport report = new FailureReport(this);

    /**
     * Creates a queue pair in RESET.
     *
     * @param number the QPN, 24 bits
     * @param parts the objects and sizes that it is created with
     * @param environment the parts of the device that it uses
     * @param events receives its asynchronous events
     */
    public SoftQp(int number, Parts parts, Environment environment, QpEvents events) {
        super(environment.deferredQueue(), number);
        this.parts = parts;
        this.environment = environment;
        this.events = events;
        // first, so that what the peer's thread reads is not beside the requester, which this side's thread writes
        this.responderKeys = new KeyCheck(environment.keyTable(), parts.domain(), number);
        this.requesterKeys = new KeyCheck(environment.keyTable(), parts.domain(), number);
        this.requester = new Requester(this);
        this.fastPath = requester.fastPath();
        this.responder = new Responder(this);
        requesterKeys.user().guardedBy(requester);
        responderKeys.user().guardedBy(responder.lock());
    }

    /**
     * Posts a chain of send requests and executes as many as possible.
     *
     * @param head the first request
     * @return as {@link DataPath#postSend}
     */
    public long post(SendWorkRequest head) {
        long result = requester.post(head, fastPath);
        deferredQueue().run();
        return result;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public String device() {
        return environment.port().device();
    }

    @Override
    public int peerNumber() {
        return settings.destinationQpn;
    }

    @Override
    public QpCapabilities capabilities() {
        return parts.capabilities();
    }

    @Override
    public int firstPsn() {
        return environment.psns().getAsInt();
    }

    @Override
    public void resumeSend() {
        defer(RESUME_SEND);
    }

    @Override
    public Timers timers() {
        return environment.timers();
    }

    @Override
    public void runDeferred() {
        deferredQueue().run();
    }

    /** {@return the receiver of its asynchronous events} */
    public QpEvents events() {
        return events;
    }

    /** {@return the objects and sizes that it was created with} */
    public Parts parts() {
        return parts;
    }

    /** {@return the parts of the device that it uses} */
    public Environment environment() {
        return environment;
    }

    /** {@return the checks of memory keys by the requester} Each half has its own, because it has its own lock. */
    public KeyCheck requesterKeys() {
        return requesterKeys;
    }

    /** {@return the checks of memory keys by the responder} */
    public KeyCheck responderKeys() {
        return responderKeys;
    }

    /** {@return the counters of this queue pair, without those of its port; see {@link #count}} */
    public RareCounters counters() {
        return counters;
    }

    /** {@return what ended posts to either queue} */
    public PostErrors postErrors() {
        return postErrors;
    }

    /** {@return the sending half} */
    public Requester requester() {
        return requester;
    }

    /** {@return the receiving half} */
    public Responder responder() {
        return responder;
    }

    /**
     * Processes a packet from the wire: a response by the requester, a request or a CNP by the responder.
     *
     * @param packet the packet
     * @param addresses the source and the destination
     */
    public void receive(PacketView packet, PacketAddresses addresses) {
        if (packet.opcode() == WireOpcode.CNP) {
            responder.receiveCnp(packet, addresses);
        } else if (WireOpcode.isResponse(packet.opcode())) {
            requester.receive(packet, addresses);
        } else {
            responder.receive(packet, addresses);
        }
    }

    /** {@return the attributes} Reading them needs the lock of either half, writing them needs both. */
    public QpSettings settings() {
        return settings;
    }

    /** {@return the state, see {@link QpStateCode}} */
    public int state() {
        return state;
    }

    /**
     * Sets the state. Both locks are held.
     *
     * @param newState the new state, see {@link QpStateCode}
     */
    public void state(int newState) {
        assert isLocked();
        responder.endDirectAccess();
        state = newState;
    }

    /** Acquires the locks of both halves. */
    public void lock() {
        requester.acquireBoth(responder.lock());
    }

    /** Releases the locks of both halves. */
    public void unlock() {
        requester.releaseBoth(responder.lock());
    }

    /** {@return whether the calling thread holds the locks of both halves} For assertions alone. */
    public boolean isLocked() {
        return requester.isHeldByCurrentThread() && responder.lock().isHeldByCurrentThread();
    }

    /** Whether the calling thread holds the lock of one half at least; for assertions alone. */
    boolean isHalfLocked() {
        return requester.isHeldByCurrentThread() || responder.lock().isHeldByCurrentThread();
    }

    /**
     * Moves the queue pair to ERR, if it is in RTR, RTS, SQD or SQE. The queues are flushed after the caller has
     * released its locks. The lock of one half is held.
     *
     * @param work further deferred work: bits of this class, or 0
     */
    public void fail(int work) {
        assert isHalfLocked();
        int former = replaceState(QpStateCode.RTR, QpStateCode.SQE, QpStateCode.ERR);
        if (former >= QpStateCode.RTR && former <= QpStateCode.SQE) {
            defer(work | FAILED | FLUSH_SEND | FLUSH_RECEIVE | (parts.srq() == null ? 0 : LAST_WQE));
            Journal.state(this, former, QpStateCode.ERR, true);
        }
    }

    /** Changes the state if it is in a range; returns the state before. Other threads may change it meanwhile. */
    private int replaceState(int first, int last, int next) {
        int seen = state;
        while (seen >= first && seen <= last && !STATE.compareAndSet(this, seen, next)) {
            seen = state;
        }
        responder.endDirectAccess();
        return seen;
    }

    /**
     * Moves a UC or UD queue pair whose send queue failed to SQE; the receive queue continues to work. The requester's
     * lock is held.
     */
    void failSendQueue() {
        assert requester.isHeldByCurrentThread();
        int former = replaceState(QpStateCode.RTS, QpStateCode.SQD, QpStateCode.SQE);
        if (former == QpStateCode.RTS || former == QpStateCode.SQD) {
            defer(FAILED);
            Journal.state(this, former, QpStateCode.SQE, true);
        }
    }

    /** Moves the queue pair to ERR and raises QP_FATAL: a completion queue or the device failed. No lock is held. */
    public void failFatally() {
        lock();
        try {
            int seen = state;
            if (seen >= QpStateCode.INIT && seen <= QpStateCode.SQE) {
                state(QpStateCode.ERR);
                defer(FATAL | FAILED);
                enteredError();
                Journal.state(this, seen, QpStateCode.ERR, true);
            }
        } finally {
            unlock();
        }
    }

    /**
     * Moves the queue pair to ERR because of an unexpected exception or Error, which may have left an operation
     * incomplete. The queues are flushed after the caller has released its locks. The lock of one half is held.
     *
     * @param cause the exception or Error
     */
    public void failUnexpectedly(Throwable cause) {
        assert isHalfLocked();
        int work = report.note(cause) ? UNEXPECTED : 0;
        int former = replaceState(QpStateCode.RTR, QpStateCode.SQE, QpStateCode.ERR);
        // also in ERR: the exception may have interrupted a flush
        defer(work | FAILED | FLUSH_SEND | FLUSH_RECEIVE
                | (parts.srq() == null || former >= QpStateCode.ERR ? 0 : LAST_WQE));
    }

    /**
     * Logs a warning, as deferred work, if an access failed because the memory of a request no longer exists, which the
     * status of its completion does not show. Only the first such failure since RESET is logged.
     *
     * @param cause the exception or Error of the access; an InternalError means that the memory no longer exists
     */
    public void noteLostMemory(Throwable cause) {
        if (cause instanceof InternalError && report.noteLostMemory()) {
            defer(LOST_MEMORY);
        }
    }

    /** Records a valid request: in RTR, the first since RESET raises COMM_EST. The responder's lock is held. */
    public void requestArrived() {
        assert responder.lock().isHeldByCurrentThread();
        if (!requested) {
            requested = true;
            if (state == QpStateCode.RTR) {
                defer(COMM_EST);
            }
        }
    }

    /** {@return whether a valid request has arrived since RESET} The responder's lock is held. */
    public boolean hasRequests() {
        assert responder.lock().isHeldByCurrentThread();
        return requested;
    }

    /**
     * Increments a counter of the queue pair and of its port. May be called with locks held.
     *
     * @param counter the counter
     */
    public void count(Counter counter) {
        environment.port().count(counter);
        counters.increment(counter);
        if (counter.isNak()) {
            Journal.nak(this, counter.isOfSender(), counter.label());
        }
    }

    /** {@return the packets and bytes sent and received since the queue pair was created} Acquires both locks. */
    public Traffic traffic() {
        lock();
        try {
            return requester.traffic().plus(responder.traffic());
        } finally {
            unlock();
        }
    }

    /** Resets the record of requests and failures, on the transition to RESET. Both locks are held. */
    void forgetRequests() {
        assert isLocked();
        requested = false;
        report.clear();
    }

    /** Schedules the flushes after ibv_modify_qp(3) has moved the queue pair to ERR. Both locks are held. */
    public void enteredError() {
        assert isLocked();
        defer(FLUSH_SEND | FLUSH_RECEIVE | (parts.srq() == null ? 0 : LAST_WQE));
    }

    @Override
    protected void perform(int bits) {
        if ((bits & LOST_MEMORY) != 0) {
            report.logLostMemory();
        }
        if ((bits & UNEXPECTED) != 0) {
            report.logUnexpected();
        }
        responder.perform(bits);
        if ((bits & (FLUSH_SEND | RESUME_SEND)) != 0) {
            requester.resume();
        }
        Tap tap = (bits & FAILED) == 0 ? null : environment.port().tap();
        if (tap != null) {
            tap.failed(number);
        }
        raise(bits, COMM_EST, AsyncEventType.COMM_EST);
        raise(bits, ACCESS_ERROR, AsyncEventType.QP_ACCESS_ERR);
        raise(bits, REQUEST_ERROR, AsyncEventType.QP_REQ_ERR);
        raise(bits, FATAL, AsyncEventType.QP_FATAL);
        raise(bits, SQ_DRAINED, AsyncEventType.SQ_DRAINED);
        raise(bits, LAST_WQE, AsyncEventType.QP_LAST_WQE_REACHED);
    }

    private void raise(int bits, int bit, AsyncEventType type) {
        if ((bits & bit) != 0) {
            events.queuePairEvent(type, this);
        }
    }
}
