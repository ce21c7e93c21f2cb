package io.jverbs.strict;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.spi.Handle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** What is known of a queue pair. Guarded by its lock, but for what never changes and what peers read. */
final class StrictQp {
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
    /** How many of the sends complete visibly. */
    private int signaled;
    private volatile QpView view = QpView.RESET;
    /** What was found last by the view. */
    private StrictQp peer;
    private volatile boolean gone;
    /** The other end, once both are connected to each other. Guarded by {@link #CONNECTIONS}. */
    private StrictQp other;
    /** Whether the other end was reset after that, and this one was not yet. Guarded by {@link #CONNECTIONS}. */
    private boolean leftOver;

    private record Receive(long wrId, Sinks sinks) {}

    /**
     * Begins in RESET.
     *
     * @param shared the receives of its shared receive queue, null if it has one of its own
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

    /** Whether the success of a request with such flags is seen. */
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

    /** Its attributes; any thread may read them. */
    QpView view() {
        return view;
    }

    void view(QpView changed) {
        view = changed;
        peer = null;
    }

    /** The other end of the connection; null if it is not known. */
    StrictQp peer() {
        if (peer == null || peer.gone) {
            peer = view.path() == null
                    ? null
                    : KnownQueuePairs.find(context.network(), view.path().destination(), view.destinationQpn());
        }
        return peer;
    }

    /** Both ends are connected to each other. */
    void agree(StrictQp peer) {
        synchronized (CONNECTIONS) {
            other = peer;
            peer.other = this;
        }
    }

    /** This end is connected no more. */
    void disconnect() {
        synchronized (CONNECTIONS) {
            if (other != null) {
                other.leftOver = true;
                other.other = null;
            }
            other = null;
            leftOver = false;
        }
    }

    /** Whether it is connected still to what the other end was before its reset. */
    boolean isLeftOver() {
        synchronized (CONNECTIONS) {
            return leftOver;
        }
    }

    boolean isGone() {
        return gone;
    }

    /** How many sends have not completed as far as the program knows, as hardware counts. */
    int outstanding() {
        return sends.size();
    }

    boolean hasSignaled() {
        return signaled > 0;
    }

    /** Notes a request that is about to be posted, or was. */
    void posted(Request request) {
        sends.add(request);
        if (request.completes()) {
            signaled++;
            sendCq.expect(1);
        }
    }

    /**
     * Forgets the oldest of the requests that the device has taken, where they are more than it can have under way: unsignaled ones that
     * cannot be, and signaled ones whose completions must have overflowed their queue.
     */
    void forgetWhatIsOver() {
        int places = handle.capabilities().maxSendWr();
        Iterator<Request> oldest = sends.iterator();
        int unsignaled = sends.size() - signaled - places;
        int lost = signaled - places - sendCq.handle().cqe();
        while (unsignaled > 0 || lost > 0) {
            Request request = oldest.next();
            if (request.completes() && lost > 0) {
                lost--;
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

    /** Takes back what was noted last: the device refused it. */
    void notPosted() {
        Request request = sends.removeLast();
        if (request.completes()) {
            signaled--;
            sendCq.expect(-1);
        }
        if (request.claimed() != null) {
            request.claimed().giveBack();
        }
        request.settle(false);
        request.end();
    }

    void receivePosted(long wrId, Sinks sinks) {
        receives.add(new Receive(wrId, sinks));
        recvCq.expect(1);
    }

    void receiveNotPosted() {
        receives.removeLast().sinks().end();
        recvCq.expect(-1);
    }

    /** Which side a completion in error is of: its opcode need not tell. */
    boolean isReceive(StrictCq cq, boolean opcodeSaysSo, long wrId) {
        if (sendCq != recvCq) {
            return cq == recvCq;
        }
        boolean mayReceive = hasSrq() || !receives.isEmpty() && receives.peek().wrId() == wrId;
        return mayReceive && (opcodeSaysSo || sends.stream().noneMatch(request -> request.wrId() == wrId));
    }

    void receiveCompleted(long wrId) {
        if (hasSrq()) {
            shared.completed(wrId);
        } else if (!receives.isEmpty()) {
            receives.remove().sinks().end();
            recvCq.expect(-1);
        }
    }

    /** Gives those requests to somebody that a send completion shows to be over. */
    void sendCompleted(boolean success, long wrId, Consumer<Request> over) {
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
                request.claimed().giveBackIfShared();
            }
            request.settle(success || !last);
            over.accept(request);
            request.end();
        }
    }

    /** Forgets what was posted, as a reset does. */
    void forget() {
        sendCq.expect(-signaled);
        signaled = 0;
        for (Request request : sends) {
            if (request.claimed() != null) {
                request.claimed().giveBackIfShared();
            }
            request.end();
        }
        sends.clear();
        recvCq.expect(-receives.size());
        receives.forEach(receive -> receive.sinks().end());
        receives.clear();
        receiveCount.resetUnlessShared();
    }

    void destroyed() {
        gone = true;
        forget();
        disconnect();
    }
}
