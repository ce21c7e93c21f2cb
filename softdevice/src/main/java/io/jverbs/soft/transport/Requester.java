package io.jverbs.soft.transport;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftMw;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.Rethrow;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.journal.FlightRecording;

/**
 * The sending half of a queue pair: one object with its lock and its send queue, for fewer cache lines. A
 * {@link RequesterProtocol} executes the requests in order. The posting thread executes as much as it can; a timer's
 * thread, or the thread that receives a response, continues.
 *
 * <p>
 * All state is guarded by the lock, except for the hints of {@link #post}. Posting threads exclude each other with it,
 * as in the providers of libibverbs. It is held while data is copied.
 */
public final class Requester extends SendRing {
    private final SoftQp qp;
    private final SendCompleter completer;
    private final LocalOperations localOperations;
    private final SendQueueFullLog sendQueueFullLog;
    private final RequesterProtocol localProtocol;
    /** The protocol for peers over the wire; the same object as the local one if there is no other. */
    private final RequesterProtocol wireProtocol;
    /** These protocols, each once. */
    private final RequesterProtocol[] protocols;
    /** The one of them that executes requests at present. */
    private RequesterProtocol protocol;
    /** Whether this requester is registered with the completion queue. */
    private volatile boolean claimed;
    /** Whether SQ_DRAINED is raised when the queue is drained in SQD. */
    private boolean drainNotice;
    /** The number of requests of the latest chain that were added; used if an exception is thrown. */
    private int accepted;
    /** The exception or Error that was thrown instead of adding a request, or null. */
    private Throwable refusal;

    Requester(SoftQp qp) {
        super(qp.parts().service(), qp.parts().capabilities(), qp.parts().sendCq());
        this.qp = qp;
        SoftQp.Parts parts = qp.parts();
        this.completer = new SendCompleter(qp, this, parts.service().isReliable());
        this.localProtocol = parts.service().localRequester(qp, this);
        this.localOperations = new LocalOperations(qp);
        this.sendQueueFullLog = new SendQueueFullLog(qp, this);
        this.wireProtocol = parts.service().wireRequester(qp, this, localProtocol);
        this.protocols = localProtocol == wireProtocol
                ? new RequesterProtocol[] {localProtocol}
                : new RequesterProtocol[] {localProtocol, wireProtocol};
        this.protocol = localProtocol;
        // last, so that the objects above, which each request uses, are usually in the same page
        allocate();
    }

    /** {@return what executes requests when they are posted to an empty send queue} */
    FastPath fastPath() {
        return localProtocol.fastPath();
    }

    /** {@return the completer of the send queue's requests} */
    public SendCompleter completer() {
        return completer;
    }

    /** Replaces the lock of the peer's responder, if it is in use, by its own lock; keys must be looked up again. */
    public void unshare() {
        if (takeBack()) {
            localProtocol.lockTakenBack();
        }
    }

    /**
     * Posts a chain of send requests and executes as many as possible. The caller runs the deferred work, which this
     * method has done already if it passed a request to the send queue.
     *
     * @param head the first request
     * @param fastPath what {@link #fastPath} returns; the caller has it in a cache line that it has read already
     * @return as {@link DataPath#postSend}
     */
    long post(SendWorkRequest head, FastPath fastPath) {
        StackReserve.check();
        claim();
        long result = DataPath.POSTED;
        SendWorkRequest request = head;
        int index = 0;
        boolean queued = false;
        boolean awaitsCredits = false;
        Throwable refused = null;
        // not under the lock yet, see FastPath.isReady
        boolean direct = fastPath.isReady();
        acquire();
        try {
            if (direct && isEmpty() && hasRoom() && fastPath.executeNow(request)) {
                index = 1;
                request = request.next();
                // a loop of its own, so that the code for a single request has none
                while (request != null && fits(index) && isEmpty() && hasRoom()
                        && fastPath.executeNow(request)) {
                    index++;
                    request = request.next();
                }
            }
            if (request != null) {
                queued = true;
                result = appendChain(request, index);
                refused = refusal;
                refusal = null;
                advance();
                awaitsCredits = protocol.awaitsCredits();
            }
        } catch (Throwable e) {
            result = interrupted(head, queued ? null : request, index, e);
        } finally {
            release();
        }
        if (!queued) {
            return result;
        }
        qp.deferredQueue().run();
        if (awaitsCredits) {
            try {
                // this thread may wait for the message at the other end, and poll nothing here
                qp.environment().wire().receivePending(false);
            } catch (RuntimeException | Error e) {
                // the request is posted; the device's thread receives the credits
            }
        }
        return refused == null ? result : refused(refused, result);
    }

    /**
     * Handles an exception or Error while a chain was posted, and returns as {@link #post} does. The queue pair moves
     * to ERR, the rest of the chain is not posted, and what was posted completes, in error if not before. A request on
     * the fast path may have been executed or not: it is queued and flushed.
     *
     * @param head the first request of the chain
     * @param direct the request that was on the fast path, or null
     * @param before the number of requests that the fast path has completed before it
     */
    private long interrupted(SendWorkRequest head, SendWorkRequest direct, int before, Throwable cause) {
        qp.failUnexpectedly(cause);
        if (direct != null) {
            accepted = before + (append(direct, true) == 0 ? 1 : 0);
        }
        if (accepted == 0) {
            throw Rethrow.of(cause);
        }
        SendWorkRequest next = head;
        for (int i = 0; i < accepted && next != null; i++) {
            next = next.next();
        }
        if (next == null) {
            return DataPath.POSTED;
        }
        qp.postErrors().record(cause);
        return DataPath.failed(ErrnoCode.ENOMEM, accepted);
    }

    /** Throws the exception or Error that refused a request, unless requests before it in the chain were added. */
    private long refused(Throwable cause, long result) {
        if (DataPath.index(result) == 0) {
            throw Rethrow.of(cause);
        }
        qp.postErrors().record(cause);
        return result;
    }

    private void claim() {
        if (!claimed) {
            sendCq().registerProducer(this);
            claimed = true;
        }
    }

    private long appendChain(SendWorkRequest head, int before) {
        int index = before;
        accepted = before;
        boolean readsAllowed = qp.settings().maxRdAtomic > 0;
        for (SendWorkRequest request = head; request != null; request = request.next()) {
            int state = qp.state();
            int errno = !takesPosts(state)
                    ? ErrnoCode.EINVAL
                    : fits(index) ? tryAppend(request, readsAllowed) : ErrnoCode.ENOMEM;
            if (errno != 0) {
                if (errno == ErrnoCode.ENOMEM && refusal == null) {
                    noteFull(index);
                }
                return DataPath.failed(errno, index);
            }
            accepted = ++index;
            if (state >= QpStateCode.SQE) {
                advance();
            }
        }
        return DataPath.POSTED;
    }

    /**
     * Whether the request at an index of its chain is not beyond the size of the queue. A chain that is longer than the
     * queue is refused even if its first requests were completed and polled.
     */
    private boolean fits(int index) {
        return index == 0 || index < slots();
    }

    /** Notes that the request at an index of its chain found no free slot. */
    private void noteFull(int index) {
        qp.postErrors().clear();
        if (FlightRecording.isOn() && used() != 0) {
            sendQueueFullLog.note(index, protocol.isBusy(), protocol != localProtocol);
        }
    }

    /**
     * Adds a request to the send queue; returns 0 or an errno. If an exception or Error is thrown, it is stored as
     * {@link #refusal}, and the request is not added.
     */
    private int tryAppend(SendWorkRequest request, boolean readsAllowed) {
        try {
            return append(request, readsAllowed);
        } catch (Throwable e) {
            refusal = e;
            return ErrnoCode.ENOMEM;
        }
    }

    private static boolean takesPosts(int state) {
        return state >= QpStateCode.RTS && state <= QpStateCode.ERR;
    }

    /**
     * Posts the bind of a type 1 memory window, see ibv_bind_mw(3).
     *
     * @param wrId the work request ID
     * @param flags bits of {@link SendFlags}
     * @param window the window
     * @param key its new key
     * @param region the region, or null
     * @param address the address at which the window starts
     * @param length its length in bytes
     * @param access its access bits
     * @return 0, or an errno
     */
    public int postBind(long wrId, int flags, SoftMw window, int key, SoftMr region, long address, long length,
            int access) {
        StackReserve.check();
        claim();
        int errno = ErrnoCode.EINVAL;
        boolean taken = false;
        acquire();
        try {
            if (takesPosts(qp.state())) {
                errno = appendBind(wrId, flags, window, region, key, address, length, access);
                taken = errno == 0;
                advance();
            }
        } catch (Throwable e) {
            if (!taken) {
                throw e;
            }
            qp.failUnexpectedly(e);
        } finally {
            release();
        }
        qp.deferredQueue().run();
        return errno;
    }

    /** Continues with the send queue. The caller holds no lock, and runs the deferred work afterwards. */
    public void resume() {
        acquire();
        try {
            advance();
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        } finally {
            release();
        }
    }

    /** Executes requests as far as the state and the peer permit, or flushes them. The requester's lock is held. */
    public void advance() {
        assert isHeldByCurrentThread();
        if (!isEmpty() && mayExecute()) {
            protocol.execute();
        }
        int state = qp.state();
        if (state == QpStateCode.SQE || state == QpStateCode.ERR) {
            // also without requests: an Error may have been thrown after the last one had completed
            stop();
            completer.flush();
        }
        if (isEmpty() || !mayExecute()) {
            // otherwise connections that wait behind this one for the same window would not be resumed
            protocol.leaveWindows();
        }
        if (drainNotice && !protocol.isBusy() && qp.state() == QpStateCode.SQD) {
            drainNotice = false;
            qp.defer(SoftQp.SQ_DRAINED);
        }
    }

    /** {@return whether the state permits executing the oldest request; in SQD only if it was started} */
    public boolean mayExecute() {
        int state = qp.state();
        return state == QpStateCode.RTS || state == QpStateCode.SQD && protocol.isBusy();
    }

    /** Processes a response from the wire. */
    void receive(PacketView packet, PacketAddresses addresses) {
        acquire();
        try {
            if (!protocol.takesResponses()) {
                qp.count(Counter.WRONG_STATE);
            } else if (qp.responder().comesFromPeer(packet, addresses)) {
                if (packet.congestionExperienced()) {
                    qp.responder().congestionExperienced();
                }
                protocol.receive(packet);
                advance();
            }
        } catch (Throwable e) {
            qp.failUnexpectedly(e);
        } finally {
            release();
        }
    }

    /**
     * Executes and completes the oldest request, which binds or invalidates a memory window.
     *
     * @param at its place in the ring
     * @param opcode its opcode
     * @return false if it failed
     */
    public boolean executeLocally(int at, int opcode) {
        assert isHeldByCurrentThread();
        // the operation waits for locks of responders, so this thread must hold none
        unshare();
        int status = localOperations.execute(this, at, opcode);
        if (status == WcStatusCode.SUCCESS) {
            completer.succeed(at, opcode, 0);
            return true;
        }
        completer.fail(at, opcode, status);
        return false;
    }

    private void stop() {
        for (RequesterProtocol each : protocols) {
            each.stop();
        }
    }

    /**
     * Removes the completions of this queue pair from the completion queue of send requests, before {@link #clear}
     * frees their slots. Both locks are held.
     */
    public void removeCompletions() {
        assert qp.isLocked();
        if (claimed) {
            sendCq().removeCompletions(qp.number(), this);
        }
    }

    /**
     * Removes all requests without completions, for the transition to RESET and for destruction. Both locks are held.
     */
    public void clear() {
        assert qp.isLocked();
        drainNotice = false;
        removeRequests();
        for (RequesterProtocol each : protocols) {
            each.clear();
        }
    }

    /**
     * Sets the PSN of the first packet. Both locks are held.
     *
     * @param psn 24 bits
     */
    public void firstPsn(int psn) {
        assert qp.isLocked();
        for (RequesterProtocol each : protocols) {
            each.nextPsn(psn);
        }
    }

    /** {@return the PSN of the next packet} The lock of either half is held. */
    public int nextPsn() {
        assert qp.isHalfLocked();
        return protocol.nextPsn();
    }

    /**
     * Applies changed settings, and chooses how requests are executed: within the JVM or over the wire. Both locks are
     * held.
     */
    public void chooseLocalOrWire() {
        assert qp.isLocked();
        localProtocol.configure();
        takeBackBoth(qp.responder().lock());
        Route route = qp.settings().path == null ? null : qp.settings().path.route();
        boolean overWire = route != null
                && !qp.environment().localPeers().isLocal(route.destination().high(), route.destination().low());
        qp.responder().route(overWire ? route : null);
        if (overWire) {
            wireProtocol.route(route);
        }
        protocol = overWire ? wireProtocol : localProtocol;
    }

    /**
     * Requests SQ_DRAINED, or withdraws the request. Both locks are held.
     *
     * @param wanted whether the event is requested
     */
    public void notifyDrained(boolean wanted) {
        assert qp.isLocked();
        drainNotice = wanted;
    }

    /** {@return the counters of sent requests and of received responses} The requester's lock is held. */
    Traffic traffic() {
        assert isHeldByCurrentThread();
        Traffic all = Traffic.NONE;
        for (RequesterProtocol each : protocols) {
            all = all.plus(each.traffic());
        }
        return all;
    }

    /** {@return whether a request was started and is not complete} The lock of either half is held. */
    public boolean isDraining() {
        assert qp.isHalfLocked();
        return protocol.isBusy();
    }
}
