package io.jverbs.soft.transport;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.Region;
import io.jverbs.soft.memory.Window;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.Guarded;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.spi.DataPath;

/**
 * The sending half of a queue pair: takes posts, executes requests in order in the posting thread, and completes them. A
 * request that waits for a timer (RNR, no answer) holds up those behind it; the timer's thread goes on with them.
 *
 * <p>
 * Posters take turns under the lock, as with libibverbs' providers: what an in-JVM post does is one copy, so the holder is
 * soon done, and the uncontended path pays one compare-and-set.
 *
 * <p>
 * A connection inside the JVM pays it once for both ends: with its first message the requester goes over from its own lock to
 * that of the peer's responder, which it needs for each message anyway. The lock is exchanged by who holds both, the former
 * and the new one; who has waited for the former looks again. A thread that holds a responder's lock waits for no other
 * responder's lock, and for a requester's own one only while that is out of use.
 */
public final class Requester implements Guarded {
    /** {@link Exchange} wants the request tried again later; it has set an alarm or waits for ever. */
    static final int LATER = -1;
    private static final long STALL_NANOS = 1_000_000;

    private final SoftQp qp;
    private final SpinLock own = new SpinLock();
    /** The lock of this half at present: its own or that of the peer's responder. */
    private volatile SpinLock lock = own;
    /** The own lock is held besides, until the present holder of the lock is done: others may wait for that. */
    private boolean holdsOwn;
    private final SendRing ring;
    private final Message message;
    private final Exchange exchange;
    private final ExpressLane express;
    private final LocalOperations local;
    private final CompletionQueueCore sendCq;
    /** The completion queue knows that this half puts. */
    private volatile boolean claimed;
    private final boolean signalAll;
    private final boolean reliable;
    /** What sends over the wire: null if there is none, or for datagrams, which {@link Exchange} sends. */
    private final Flight flight;
    private final Stream stream;
    /** The connection is over the wire. */
    private boolean wired;
    /** The oldest request has gone out, or is being carried out, and is not complete. */
    private boolean started;
    /** The oldest request waits for an alarm or for ever. */
    private boolean waiting;
    /** SQD was entered and the event that says it is drained is due. */
    private boolean drainNotice;
    private Timers.Alarm alarm;
    private int alarmNumber;
    private long stallNoted = System.nanoTime() - STALL_NANOS;

    Requester(SoftQp qp) {
        this.qp = qp;
        this.ring = new SendRing(qp.parts.type(), qp.parts.capabilities());
        this.message = new Message(Math.max(1, qp.parts.capabilities().maxSendSge()));
        this.exchange = new Exchange(qp, this, ring, message);
        this.express = new ExpressLane(qp, exchange);
        this.local = new LocalOperations(qp);
        this.sendCq = qp.parts.sendCq();
        this.signalAll = qp.parts.signalAll();
        this.reliable = qp.parts.type() == QpType.RC;
        Wire wire = qp.around.wire();
        this.flight = wire != null && reliable ? new Flight(qp, this, ring, wire) : null;
        this.stream = wire != null && qp.parts.type() == QpType.UC ? new Stream(qp, this, ring, wire) : null;
    }

    /** Takes the lock of this half, the first to take. */
    void acquire() {
        while (true) {
            SpinLock present = lock;
            present.lock();
            if (present == lock) {
                return;
            }
            present.unlock();
        }
    }

    /** Gives the lock back. */
    void release() {
        if (holdsOwn) {
            holdsOwn = false;
            own.unlock();
        }
        lock.unlock();
    }

    /** Whether the lock of this half, which is held, is that of a responder. */
    boolean isShared() {
        return lock != own;
    }

    /** Whether a lock is that of this half, which is held. */
    boolean isGuardedBy(SpinLock other) {
        return lock == other;
    }

    /**
     * Takes a responder's lock for the time that this half's is held, and shares it from then on; unless it does so already.
     * Keys that were looked up under the own lock stay good, as that is not given back before.
     */
    void share(SpinLock responders) {
        if (lock != responders) {
            responders.lock();
            lock = responders;
            holdsOwn = true;
        }
    }

    /** Goes back to the own lock, and gives back the one that was shared: keys must be looked up anew. */
    void unshare() {
        SpinLock former = lock;
        if (former != own) {
            if (holdsOwn) {
                holdsOwn = false;
            } else {
                own.lock();
            }
            lock = own;
            former.unlock();
            exchange.leave();
        }
    }

    /** As {@link #unshare} with the locks of both halves held, which may be the same. */
    private void unshareBoth() {
        SpinLock former = lock;
        if (former != own) {
            own.lock();
            lock = own;
            if (former != qp.responder.lock()) {
                former.unlock();
            }
        }
    }

    @Override
    public void awaitRelease() {
        lock.awaitRelease();
    }

    /**
     * Posts a chain and executes what can be executed.
     *
     * @param head the first request
     * @return as {@link DataPath#postSend}
     */
    public long post(SendWorkRequest head) {
        long result = DataPath.POSTED;
        claim();
        acquire();
        try {
            SendWorkRequest request = head;
            int index = 0;
            while (index < ring.slots() && request != null && ring.isEmpty() && express.take(request)) {
                request = request.next();
                index++;
            }
            if (request != null) {
                result = append(request, index);
                advance();
            }
        } finally {
            release();
        }
        qp.agenda().run();
        return result;
    }

    private void claim() {
        if (!claimed) {
            sendCq.claim(this);
            claimed = true;
        }
    }

    private long append(SendWorkRequest head, int before) {
        int index = before;
        boolean readsAllowed = qp.settings.maxRdAtomic > 0;
        for (SendWorkRequest request = head; request != null; request = request.next()) {
            int state = qp.state();
            // a chain that does not fit as a whole is not posted as a whole, however fast its first requests were
            int errno = before != 0 && index >= ring.slots()
                    ? ErrnoCode.ENOMEM
                    : takesPosts(state) ? ring.append(request, readsAllowed) : ErrnoCode.EINVAL;
            if (errno != 0) {
                if (errno == ErrnoCode.ENOMEM && Journal.isOn() && !ring.isEmpty()) {
                    noteStall(index);
                }
                return DataPath.failed(errno, index);
            }
            if (state >= State.SQE) {
                advance();
            }
            index++;
        }
        return DataPath.POSTED;
    }

    /** A full queue is an everyday answer: it is told once in a while. So many requests of the chain are before the refused one. */
    private void noteStall(int index) {
        long now = System.nanoTime();
        if (now - stallNoted >= STALL_NANOS) {
            stallNoted = now;
            Journal.postStall(qp, ring.count(), ring.wrId(ring.oldest()), stallReason(index));
        }
    }

    private String stallReason(int index) {
        if (index >= ring.slots()) {
            return "the rest of its chain, which is longer than the queue";
        }
        if (qp.state() == State.SQD && !started) {
            return "the queue pair to leave SQD";
        }
        return wired ? "acknowledgements" : "its peer, which is not ready or does not answer";
    }

    private static boolean takesPosts(int state) {
        return state >= State.RTS && state <= State.ERR;
    }

    /**
     * Posts the bind of a type 1 window.
     *
     * @param wrId names the request
     * @param flags bits of {@link SendFlags}
     * @param window the window
     * @param key its new key
     * @param region the region or null
     * @param address where the window starts
     * @param length its length
     * @param access its access bits
     * @return 0 or an errno
     */
    public int postBind(long wrId, int flags, Window window, int key, Region region, long address, long length,
            int access) {
        int errno = ErrnoCode.EINVAL;
        claim();
        acquire();
        try {
            if (takesPosts(qp.state())) {
                errno = ring.appendBind(wrId, flags, window, region, key, address, length, access);
                advance();
            }
        } finally {
            release();
        }
        qp.agenda().run();
        return errno;
    }

    /** Goes on after the state has changed; no lock is held. What it leaves to do is on the agenda. */
    public void resume() {
        acquire();
        try {
            advance();
        } finally {
            release();
        }
    }

    /** Executes as far as the state and the peer allow; the lock is held. */
    void advance() {
        try {
            executeAll();
        } finally {
            exchange.sendWritten();
        }
        if (wired && flight != null && (ring.isEmpty() || !mayGoOn(qp.state()))) {
            // all that it waited to send again may have been acknowledged meanwhile: those behind it must not wait for it
            flight.stopWaiting();
        }
        if (drainNotice && !started && qp.state() == State.SQD) {
            drainNotice = false;
            qp.defer(SoftQp.SQ_DRAINED);
        }
    }

    private void executeAll() {
        while (!ring.isEmpty()) {
            int state = qp.state();
            if (mayGoOn(state)) {
                if (wired) {
                    advanceOverWire();
                    break;
                }
                if (waiting || !execute()) {
                    break;
                }
            } else if (state == State.SQE || state == State.ERR) {
                flush();
            } else {
                break;
            }
        }
    }

    private boolean mayGoOn(int state) {
        return state == State.RTS || state == State.SQD && started;
    }

    private void advanceOverWire() {
        if (flight != null) {
            flight.advance();
            started = flight.isBusy();
        } else {
            stream.advance();
        }
        if (!ring.isEmpty() && qp.state() >= State.SQE) {
            flush();
        }
    }

    /** Takes an answer from the wire. */
    void receive(PacketView packet, Envelope envelope) {
        acquire();
        try {
            if (!wired || flight == null) {
                qp.count(Counter.WRONG_STATE);
            } else if (qp.responder.comesFromPeer(packet, envelope)) {
                flight.receive(packet);
                started = flight.isBusy();
                advance();
            }
        } finally {
            release();
        }
    }

    /** Executes the oldest request, which concerns this device alone; false if it failed. */
    boolean executeLocally(int at, int opcode) {
        unshare();
        int status = local.execute(ring, at, opcode);
        if (status == WcStatusCode.SUCCESS) {
            succeed(at, opcode, 0);
            return true;
        }
        fail(at, opcode, status);
        return false;
    }

    /** Executes the oldest request; false if it has to wait. */
    private boolean execute() {
        int at = ring.oldest();
        int opcode = ring.opcode(at);
        int status;
        if (Opcode.isLocal(opcode)) {
            // it waits for responders
            unshare();
            status = local.execute(ring, at, opcode);
        } else {
            status = exchange.attempt(ring, at, opcode, started);
        }
        if (status == LATER) {
            started = true;
            waiting = true;
            long delay = exchange.delayNanos();
            if (delay != Exchange.FOR_EVER) {
                int number = ++alarmNumber;
                alarm = qp.around.timers().set(delay, () -> onAlarm(number));
            }
            return false;
        }
        started = false;
        if (status == WcStatusCode.SUCCESS) {
            succeed(at, opcode);
        } else {
            fail(at, opcode, status);
        }
        return true;
    }

    private void succeed(int at, int opcode) {
        succeed(at, opcode, Opcode.isResponding(opcode) ? (int) message.length : 0);
    }

    /** Completes the oldest request. */
    void succeed(int at, int opcode, int bytes) {
        if (signalAll || (ring.flags(at) & SendFlags.SIGNALED) != 0) {
            sendCq.putSuccess(ring.wrId(at), Opcode.completion(opcode), bytes, 0, qp.number(), 0, 0, false);
        }
        ring.finish();
    }

    /** Completes the oldest request in error, after the state has changed; those behind it flush. */
    void fail(int at, int opcode, int status) {
        countRefusal(status);
        // before others can flush, and tell of that
        Journal.completionError(qp, false, ring.wrId(at), status, 1);
        if (reliable) {
            qp.fail(0);
        } else {
            qp.failSendQueue();
        }
        sendCq.putError(ring.wrId(at), status, Opcode.completion(opcode), qp.number());
        ring.finish();
    }

    /** Counts the NAK that a status comes from, if it does. */
    private void countRefusal(int status) {
        switch (status) {
            case WcStatusCode.REM_INV_REQ_ERR -> qp.count(Counter.RECEIVED_NAK_INVALID);
            case WcStatusCode.REM_ACCESS_ERR -> qp.count(Counter.RECEIVED_NAK_ACCESS);
            case WcStatusCode.REM_OP_ERR -> qp.count(Counter.RECEIVED_NAK_OPERATION);
            default -> {
                // the others do not, or the NAK is counted already
            }
        }
    }

    private void flush() {
        stopWaiting();
        started = false;
        if (!ring.isEmpty()) {
            Journal.completionError(qp, false, ring.wrId(ring.oldest()), WcStatusCode.WR_FLUSH_ERR, ring.count());
        }
        while (!ring.isEmpty()) {
            int at = ring.oldest();
            sendCq.putError(ring.wrId(at), WcStatusCode.WR_FLUSH_ERR, Opcode.completion(ring.opcode(at)), qp.number());
            ring.finish();
        }
    }

    private void onAlarm(int number) {
        acquire();
        try {
            if (waiting && number == alarmNumber) {
                waiting = false;
                alarm = null;
                advance();
            }
        } finally {
            release();
        }
        qp.agenda().run();
    }

    private void stopWaiting() {
        if (flight != null) {
            flight.stop();
        }
        waiting = false;
        alarmNumber++;
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    /** Drops all requests without completions, on the way to RESET or destruction; both locks are held. */
    public void clear() {
        stopWaiting();
        started = false;
        drainNotice = false;
        ring.clear();
        if (flight != null) {
            flight.clear();
        }
    }

    /**
     * Sets the first PSN, both locks held.
     *
     * @param psn 24 bits
     */
    public void firstPsn(int psn) {
        exchange.nextPsn(psn);
        if (flight != null) {
            flight.nextPsn(psn);
        } else if (stream != null) {
            stream.nextPsn(psn);
        }
    }

    /** {@return the PSN of the next packet, with either lock held} */
    public int nextPsn() {
        return !wired ? exchange.nextPsn() : flight != null ? flight.nextPsn() : stream.nextPsn();
    }

    /** Takes over changed settings, both locks held. */
    public void configure() {
        exchange.configure();
        unshareBoth();
        Route route = flight == null && stream == null || qp.settings.path == null ? null : qp.settings.path.route();
        boolean now = route != null
                && !qp.around.network().isLocal(route.destination().high(), route.destination().low());
        qp.responder.route(now ? route : null);
        if (now && flight != null) {
            flight.route(route);
        } else if (now) {
            stream.route(route);
        }
        wired = now;
    }

    /**
     * Asks for the event that says the queue is drained, or takes the wish back; both locks held.
     *
     * @param wanted whether the event is wanted
     */
    public void notifyDrained(boolean wanted) {
        drainNotice = wanted;
    }

    /** What was sent, and received for it, with the lock held. */
    Traffic traffic() {
        Traffic within = exchange.traffic();
        return flight != null ? within.plus(flight.traffic()) : stream != null ? within.plus(stream.traffic()) : within;
    }

    /** {@return whether a request is under way, with either lock held} */
    public boolean isDraining() {
        return started;
    }
}
