package io.jverbs.soft.transport;

import io.jverbs.AsyncEventType;
import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.journal.Subject;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.Deferral;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import io.jverbs.spi.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;

/**
 * A queue pair: its state, which both halves share, and the two halves. The requester owns the send queue, the responder the
 * receive queue; each has a lock, taken in that order unless the requester shares one (see {@link Requester}). The state changes only under a lock of one half (to an error) or of both
 * (by modify).
 */
public final class SoftQp extends Deferral implements Handle.Qp, DirectTable.Numbered, Subject {
    static final int FLUSH_SEND = 1;
    static final int FLUSH_RECEIVE = 1 << 1;
    static final int COMM_EST = 1 << 2;
    static final int ACCESS_ERROR = 1 << 3;
    static final int REQUEST_ERROR = 1 << 4;
    static final int FATAL = 1 << 5;
    static final int SQ_DRAINED = 1 << 6;
    static final int LAST_WQE = 1 << 7;
    static final int RESUME_SEND = 1 << 8;
    static final int FAILED = 1 << 9;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(SoftQp.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * What a queue pair is made of and stands in.
     *
     * @param type RC, UC or UD
     * @param capabilities the sizes granted
     * @param signalAll whether every send request completes visibly
     * @param domain the protection domain
     * @param sendCq where send completions go
     * @param recvCq where receive completions go
     * @param srq the shared receive queue, or null
     */
    public record Parts(QpType type, QpCapabilities capabilities, boolean signalAll, Domain domain,
            CompletionQueueCore sendCq,
            CompletionQueueCore recvCq, SoftSrq srq) {}

    /**
     * The device around a queue pair.
     *
     * @param regions its regions
     * @param port its port
     * @param network how peers are found
     * @param timers its clock
     * @param agenda where deferred work is listed
     * @param maxMessage the longest message in bytes
     * @param wire the way out of the JVM, null if there is none
     * @param psns draws first PSNs for those who ask for one
     */
    public record Surroundings(Regions regions, Port port, Network network, Timers timers, Agenda agenda,
            long maxMessage, Wire wire, IntSupplier psns) {}

    final Parts parts;
    final Surroundings around;
    final Settings settings = new Settings();
    final Requester requester;
    final Responder responder;
    private final int number;
    private final QpEvents events;
    private volatile int state = State.RESET;
    /** What seldom happens, once it has. */
    private volatile AtomicLongArray counted;
    /** The first valid request since RESET was seen; guarded by the responder's lock. */
    private boolean requested;

    /**
     * @param number its number, 24 bits
     * @param parts what it is made of
     * @param around the device around it
     * @param events what is told of its events
     */
    public SoftQp(int number, Parts parts, Surroundings around, QpEvents events) {
        super(around.agenda());
        this.number = number;
        this.parts = parts;
        this.around = around;
        this.events = events;
        this.requester = new Requester(this);
        this.responder = new Responder(this);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public String device() {
        return around.port().device();
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
        return around.psns().getAsInt();
    }

    /** {@return what is told of its events} */
    public QpEvents events() {
        return events;
    }

    /** {@return what it is made of} */
    public Parts parts() {
        return parts;
    }

    /** {@return the half that sends} */
    public Requester requester() {
        return requester;
    }

    /** {@return the half that receives} */
    public Responder responder() {
        return responder;
    }

    /**
     * Takes a packet from the wire.
     *
     * @param packet the packet
     * @param envelope where it comes from and goes to
     */
    public void receive(PacketView packet, Envelope envelope) {
        if (WireOpcode.isResponse(packet.opcode())) {
            requester.receive(packet, envelope);
        } else {
            responder.receive(packet, envelope);
        }
    }

    /** {@return the attributes; read with either half's lock held, written with both} */
    public Settings settings() {
        return settings;
    }

    /** {@return the state, see {@link State}} */
    public int state() {
        return state;
    }

    /**
     * Changes the state, both locks held.
     *
     * @param changed the new state
     */
    public void state(int changed) {
        state = changed;
    }

    /** Takes the locks of both halves. */
    public void lock() {
        SpinLock receiving = responder.lock();
        while (true) {
            requester.acquire();
            if (requester.isGuardedBy(receiving) || receiving.tryLock()) {
                return;
            }
            if (!requester.isShared()) {
                receiving.lock();
                return;
            }
            // two responders' locks have no order: none is held while waiting for the other
            requester.release();
            receiving.lock();
            receiving.unlock();
        }
    }

    /** Releases the locks of both halves. */
    public void unlock() {
        if (!requester.isGuardedBy(responder.lock())) {
            responder.lock().unlock();
        }
        requester.release();
    }

    /**
     * Moves to ERR if the queue pair is in use; whatever is queued flushes after the present locks are released.
     *
     * @param work further work to note
     */
    void fail(int work) {
        int seen = state;
        while (seen >= State.RTR && seen <= State.SQE) {
            if (STATE.compareAndSet(this, seen, State.ERR)) {
                Journal.state(this, seen, State.ERR, true);
                defer(work | FAILED | FLUSH_SEND | FLUSH_RECEIVE | (parts.srq() == null ? 0 : LAST_WQE));
                return;
            }
            seen = state;
        }
    }

    /** Moves a UC or UD queue pair whose send queue failed to SQE; receiving goes on. */
    void failSendQueue() {
        int seen = state;
        while (seen == State.RTS || seen == State.SQD) {
            if (STATE.compareAndSet(this, seen, State.SQE)) {
                Journal.state(this, seen, State.SQE, true);
                defer(FAILED);
                return;
            }
            seen = state;
        }
    }

    /** Moves to ERR because a completion queue or the device failed, and says so; no lock is held. */
    public void failFatally() {
        lock();
        try {
            if (state >= State.INIT && state <= State.SQE) {
                Journal.state(this, state, State.ERR, true);
                state = State.ERR;
                defer(FATAL | FAILED);
                enteredError();
            }
        } finally {
            unlock();
        }
    }

    /** Notes a valid request, the responder's lock held: the first of a connection that is not in RTS yet establishes it. */
    void noteRequest() {
        if (!requested) {
            requested = true;
            if (state == State.RTR) {
                defer(COMM_EST);
            }
        }
    }

    /** Whether a valid request came since RESET; the responder's lock is held. */
    boolean hasRequests() {
        return requested;
    }

    /** Counts for the queue pair and its port what seldom happens; callable with locks held. */
    void count(Counter counter) {
        around.port().count(counter);
        AtomicLongArray present = counted;
        if (present == null) {
            synchronized (this) {
                present = counted == null ? new AtomicLongArray(Counter.values().length) : counted;
                counted = present;
            }
        }
        present.incrementAndGet(counter.ordinal());
        if (counter.isNak()) {
            Journal.nak(this, counter.isOfSender(), counter.label());
        }
    }

    /**
     * {@return how often something was counted for this queue pair}
     *
     * @param counter what
     */
    public long counted(Counter counter) {
        AtomicLongArray present = counted;
        return present == null ? 0 : present.get(counter.ordinal());
    }

    /** {@return the number of the queue pair that it is connected to, 0 for none} Takes both locks for a moment. */
    public int peer() {
        lock();
        try {
            return settings.destinationQpn;
        } finally {
            unlock();
        }
    }

    /** {@return what it has sent and received since it was made} Takes both locks for a moment. */
    public Traffic traffic() {
        lock();
        try {
            return requester.traffic().plus(responder.traffic());
        } finally {
            unlock();
        }
    }

    /** Forgets that there was a request, on the way to RESET; both locks are held. */
    void forgetRequests() {
        requested = false;
    }

    /** Notes that modify moved the queue pair to ERR. */
    public void enteredError() {
        defer(FLUSH_SEND | FLUSH_RECEIVE | (parts.srq() == null ? 0 : LAST_WQE));
    }

    @Override
    protected void perform(int bits) {
        if ((bits & FLUSH_RECEIVE) != 0) {
            responder.flushInError();
        }
        if ((bits & (FLUSH_SEND | RESUME_SEND)) != 0) {
            requester.resume();
        }
        Tap tap = (bits & FAILED) == 0 ? null : around.port().tap();
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
