package io.jverbs.strict;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.spi.Handle;
import io.jverbs.strict.tracking.WritableRanges;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The state that strict mode tracks for a queue pair. Guarded by {@link #lock}, except for what is thread-safe itself,
 * volatile fields, which peers read without the lock, and fields guarded by {@link #CONNECTIONS}.
 */
final class StrictQp {
    /** The lock of the connections of all queue pairs. */
    private static final Object CONNECTIONS = new Object();

    private final StrictContext context;
    private final Handle.Qp handle;
    private final QpType type;
    private final boolean signalAll;
    private final StrictCq sendCq;
    private final StrictCq recvCq;
    private final SharedReceives shared;
    private final ReceiveCount receiveCount;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Request> sends = new ArrayDeque<>();
    private final Deque<Receive> receives = new ArrayDeque<>();
    /** How many of the sends generate a completion if they succeed. */
    private int signaled;
    private volatile QpView view = QpView.RESET;
    /** The peer according to the current view; null if it was not looked up or not found. */
    private StrictQp peer;
    private volatile boolean isDestroyed;
    /** The other end, after both ends are connected to each other. Guarded by {@link #CONNECTIONS}. */
    private StrictQp other;
    /**
     * Whether the other end was reset or destroyed after that, and this one was not reset since. Guarded by {@link
     * #CONNECTIONS}.
     */
    private boolean peerDisconnected;

    private record Receive(long wrId, WritableRanges sinks) {}

    /**
     * Starts in RESET.
     *
     * @param shared its shared receive queue, null if it has its own receive queue
     */
    StrictQp(StrictContext context, Handle.Qp handle, QpType type, boolean signalAll, StrictCq sendCq, StrictCq recvCq,
            SharedReceives shared) {
        this.context = context;
        this.handle = handle;
        this.type = type;
        this.signalAll = signalAll;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.shared = shared;
        this.receiveCount = shared == null ? new ReceiveCount(false) : shared.count();
        if (shared != null) {
            shared.joined(type);
        }
    }

    StrictContext context() {
        return context;
    }

    Handle.Qp handle() {
        return handle;
    }

    int number() {
        return handle.number();
    }

    QpType type() {
        return type;
    }

    /** Whether a request with these flags generates a completion if it succeeds. */
    boolean completes(int sendFlags) {
        return signalAll || (sendFlags & SendFlags.SIGNALED) != 0;
    }

    StrictCq sendCq() {
        return sendCq;
    }

    StrictCq recvCq() {
        return recvCq;
    }

    boolean hasSrq() {
        return shared != null;
    }

    ReceiveCount receiveCount() {
        return receiveCount;
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Its attributes. Callable without the lock. */
    QpView view() {
        return view;
    }

    /** Notes that the queue pair was modified, and is connected to a peer that is known; null if there is none. */
    void modified(QpView next, StrictQp known) {
        view(next);
        if (next.state() == QpState.RESET) {
            forget();
            disconnect();
        } else if (known != null) {
            connect(known);
        }
    }

    void view(QpView changed) {
        view = changed;
        peer = null;
    }

    /** The queue pair that this one is connected to; null if it is not known. */
    StrictQp peer() {
        if (peer == null || peer.isDestroyed || peer.context.isDisabled()) {
            peer = view.path() == null
                    ? null
                    : PeerRegistry.find(context.network(), view.path().destination(), view.destinationQpn());
        }
        return peer;
    }

    /** Records that both ends are connected to each other. */
    void connect(StrictQp peer) {
        synchronized (CONNECTIONS) {
            other = peer;
            peer.other = this;
        }
    }

    /** Records that this end is no longer connected. */
    void disconnect() {
        synchronized (CONNECTIONS) {
            if (other != null) {
                other.peerDisconnected = true;
                other.other = null;
            }
            other = null;
            peerDisconnected = false;
        }
    }

    /** Whether it is still connected to the other end from before that end's reset. */
    boolean isPeerDisconnected() {
        synchronized (CONNECTIONS) {
            return peerDisconnected;
        }
    }

    boolean isDestroyed() {
        return isDestroyed;
    }

    /** How many entries of the send queue hardware counts as taken, by the completions that the program has polled. */
    int outstanding() {
        return sends.size();
    }

    /** How many receive requests of its own queue have no polled completion. */
    int outstandingReceives() {
        return receives.size();
    }

    boolean hasSignaled() {
        return signaled > 0;
    }

    /** Records a request that is about to be posted, or was posted. */
    void posted(Request request) {
        sends.add(request);
        if (request.completes()) {
            signaled++;
            sendCq.expect(1);
        }
        if (request.claimed() != null) {
            request.claimed().claim();
        }
    }

    /**
     * Removes the oldest requests if the device has accepted more than can be outstanding: unsignaled requests that
     * must have completed, and signaled requests whose completions must have overflowed the completion queue.
     */
    void forgetExcess() {
        int capacity = handle.capabilities().maxSendWr();
        Iterator<Request> oldest = sends.iterator();
        int unsignaled = sends.size() - signaled - capacity;
        int overflowed = signaled - capacity - sendCq.handle().cqe();
        while (unsignaled > 0 || overflowed > 0) {
            Request request = oldest.next();
            if (request.completes() && overflowed > 0) {
                overflowed--;
                signaled--;
                sendCq.expect(-1);
                drop(request, oldest);
            } else if (!request.completes() && unsignaled > 0) {
                unsignaled--;
                drop(request, oldest);
            }
        }
    }

    private static void drop(Request request, Iterator<Request> from) {
        from.remove();
        request.settle(true);
        request.end();
    }

    /** Removes the request that was recorded last, because the device rejected it. */
    void notPosted() {
        Request request = sends.removeLast();
        if (request.completes()) {
            signaled--;
            sendCq.expect(-1);
        }
        if (request.claimed() != null) {
            request.claimed().release();
        }
        request.settle(false);
        request.end();
    }

    void receivePosted(long wrId, WritableRanges sinks) {
        receives.add(new Receive(wrId, sinks));
        recvCq.expect(1);
    }

    void receiveNotPosted() {
        receives.removeLast().sinks().end();
        recvCq.expect(-1);
    }

    /** Whether a completion in error is of a receive request. The opcode of such a completion need not be valid. */
    boolean isReceive(StrictCq cq, boolean opcodeSaysSo, long wrId) {
        if (sendCq != recvCq) {
            return cq == recvCq;
        }
        boolean mayReceive = hasSrq() || !receives.isEmpty() && receives.peek().wrId() == wrId;
        return mayReceive && (opcodeSaysSo || sends.stream().noneMatch(request -> request.wrId() == wrId));
    }

    /**
     * Records a completed receive request. Returns its details if it was posted to a shared receive queue and is too
     * short for any datagram, else null.
     */
    GrhSpaceCheck.ShortReceive receiveCompleted(long wrId) {
        if (hasSrq()) {
            return shared.completed(wrId);
        }
        if (!receives.isEmpty()) {
            recvCq.expect(-1);
            receives.remove().sinks().end();
        }
        return null;
    }

    /** Removes the requests that a polled send completion covers, and passes each to a consumer. */
    void sendCompleted(boolean success, long wrId, Consumer<Request> completed) {
        if (!success && sends.stream().noneMatch(request -> request.wrId() == wrId)) {
            return;
        }
        boolean last = false;
        while (!last && !sends.isEmpty()) {
            Request request = sends.remove();
            last = success ? request.completes() : request.wrId() == wrId;
            if (request.completes()) {
                signaled--;
                sendCq.expect(-1);
            }
            if (last && !success && request.claimed() != null) {
                request.claimed().releaseIfShared();
            }
            request.settle(success || !last);
            completed.accept(request);
            request.end();
        }
    }

    /**
     * Removes all requests, as a reset does. Their completions no longer count: a device need not keep those that were
     * not polled, and drivers of hardware remove them.
     */
    void forget() {
        sendCq.expect(-signaled);
        signaled = 0;
        for (Request request : sends) {
            if (request.claimed() != null) {
                request.claimed().releaseIfShared();
            }
            request.end();
        }
        sends.clear();
        recvCq.expect(-receives.size());
        receives.forEach(receive -> receive.sinks().end());
        receives.clear();
        receiveCount.resetUnlessShared();
    }

    /** Records that the queue pair was destroyed. */
    void destroyed() {
        isDestroyed = true;
        if (shared != null) {
            shared.left(type);
        }
        peer = null;
        forget();
        disconnect();
    }
}
