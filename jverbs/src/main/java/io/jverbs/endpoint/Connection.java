package io.jverbs.endpoint;

import io.jverbs.QueuePair;
import io.jverbs.WcStatus;
import io.jverbs.endpoint.BufferPool.ConnectionBuffers;
import io.jverbs.endpoint.ConnectionState.ClosedSides;
import io.jverbs.endpoint.EndpointDevice.ConnectionResources;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.KeepAlive.ConnectionTimers;
import io.jverbs.endpoint.WireFormat.PrivateData;
import io.jverbs.endpoint.WorkQueues.ReceiveQueue;
import io.jverbs.endpoint.WorkQueues.SendQueue;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection: its state, its queues and credits. Its lock guards them. {@link MessageExchange} has what the program's
 * threads call. The thread that polls completions adds what has arrived, calls the handler, and destroys the queue pair
 * at the end. Thread-safe.
 */
final class Connection {
    private final EndpointDevice device;
    private final EndpointOptions options;
    private final Listener listener;
    private final InetSocketAddress peerAddress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ConnectionResources resources;
    private final Credits credits;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Requests requests = new Requests();
    private final ConnectionTimers timers;
    private final MessageExchange exchange;
    private final HandlerCalls calls;
    private final ConnectionEnd end;
    private final Endpoint endpoint;
    private final int token;
    private Establishment establishment;
    private volatile ConnectionState state;
    /** Changes with everything that a waiting thread may wait for. */
    private volatile int version;
    /** Whether the processor has this connection in its queue; guarded by the lock of the processor. */
    private boolean ready;
    private QueuePair qp;
    private int maxLength;
    private EndpointException failure;
    private ClosedSides closedSides = ClosedSides.NEITHER;

    private Connection(EndpointDevice device, EndpointOptions options, Listener listener, InetSocketAddress peer) {
        this.device = device;
        this.options = options;
        this.listener = listener;
        this.peerAddress = peer;
        this.state = listener == null ? ConnectionState.RESOLVING_ADDRESS : ConnectionState.ACCEPTING;
        this.timers = new ConnectionTimers(this);
        this.resources = new ConnectionResources(device, options);
        boolean isMade = false;
        try {
            token = resources.addToProcessor(this);
            ConnectionBuffers buffers = resources.buffers();
            buffers.attach(this);
            credits = new Credits(options.receiveBuffers());
            sends = new SendQueue(buffers, credits, token);
            receives = new ReceiveQueue(buffers, token);
            calls = new HandlerCalls(this, receives);
            exchange = new MessageExchange(this, buffers, credits, sends, receives, requests);
            end = new ConnectionEnd(this, exchange, sends, receives, requests);
            endpoint = new Endpoint(exchange, this);
            limitFirstState();
            isMade = true;
        } finally {
            if (!isMade) {
                resources.giveBack(true);
            }
        }
    }

    /** Creates a connection of a client; {@link Establishment#resolve} begins to connect. */
    static Connection ofClient(EndpointDevice device, EndpointOptions options, InetSocketAddress peer) {
        Connection made = new Connection(device, options, null, peer);
        return made.establishedBy(() -> made.establishment = Establishment.ofClient(made, device, options));
    }

    /** Creates a connection for a connect request; {@link Establishment#accept} accepts it. */
    static Connection ofServer(EndpointDevice device, EndpointOptions options, Establishment.Request request) {
        Connection made = new Connection(device, options, request.listener(), request.id().peerAddress());
        return made.establishedBy(() -> {
            made.credits.established(request.offer().receiveBuffers());
            made.maxLength = Math.min(options.messageSize(), request.offer().messageSize());
            made.establishment = Establishment.ofServer(made, options, request.id());
        });
    }

    private Connection establishedBy(Runnable step) {
        boolean isDone = false;
        try {
            step.run();
            isDone = true;
            return this;
        } finally {
            if (!isDone) {
                resources.giveBack(true);
            }
        }
    }

    /** With the lock, because the processor of completions has this connection already. */
    private void limitFirstState() {
        lock.lock();
        try {
            timers.limit(System.nanoTime() + options.connectNanos());
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what the connection has used of its device. After an Error, the next call does what is left. */
    void release(boolean reusable) {
        resources.giveBack(reusable && resources.buffers().isUnused());
        device.release();
    }

    EndpointDevice device() {
        return device;
    }

    EndpointOptions options() {
        return options;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    MessageExchange exchange() {
        return exchange;
    }

    Establishment establishment() {
        return establishment;
    }

    ConnectionEnd end() {
        return end;
    }

    int token() {
        return token;
    }

    boolean isServer() {
        return listener != null;
    }

    ReentrantLock lock() {
        return lock;
    }

    Condition changed() {
        return changed;
    }

    int version() {
        return version;
    }

    ConnectionState state() {
        return state;
    }

    InetSocketAddress peerAddress() {
        return peerAddress;
    }

    /** The maximum length of a message to send. */
    int maxLength() {
        return maxLength;
    }

    boolean isPeerClosed() {
        return closedSides.isPeer();
    }

    boolean isUserClosed() {
        return closedSides.isProgram();
    }

    /** Notes that the program has closed the endpoint; the lock is held. */
    void userClosed() {
        assert lock.isHeldByCurrentThread();
        closedSides = closedSides.withProgram();
        signalChange();
    }

    /** Why the connection has ended; null if one side has closed. */
    EndpointException failure() {
        return failure;
    }

    /** Returns why the connection is not established after the connect timeout, and what to do. */
    String notEstablished() {
        ConnectionState present = state;
        return present.step() + " has not ended within " + options.connectTimeout() + ": " + present.advice();
    }

    /** Notes why the connection has ended; the lock is held. */
    void failure(EndpointException cause) {
        assert lock.isHeldByCurrentThread();
        failure = cause;
    }

    /** A peer that has closed may disconnect: that is no failure. The lock is held. */
    void forgetLoss() {
        assert lock.isHeldByCurrentThread();
        if (closedSides.isPeer() && failure != null && failure.reason() == Reason.PEER_LOST) {
            failure = null;
        }
    }

    QueuePair queuePair() {
        return qp;
    }

    SendQueue sends() {
        return sends;
    }

    /** What is due at a time. */
    ConnectionTimers timers() {
        return timers;
    }

    Listener listener() {
        return listener;
    }

    HandlerCalls calls() {
        return calls;
    }

    /** Returns whether this connection is in the queue of the processor, whose lock guards that. */
    boolean isReady() {
        return ready;
    }

    void ready(boolean changed) {
        ready = changed;
    }

    /** Wakes the threads that wait for a change; the lock is held. */
    void signalChange() {
        assert lock.isHeldByCurrentThread();
        version++;
        changed.signalAll();
    }

    /** Moves to a state that can follow the present one; the lock is held. */
    void move(ConnectionState next) {
        assert lock.isHeldByCurrentThread();
        if (!state.allows(next)) {
            throw new IllegalStateException(this + ": " + next + " cannot follow " + state);
        }
        state = next;
        signalChange();
    }

    /** Moves to a state, unless the connection has ended meanwhile. */
    boolean advance(ConnectionState next) {
        lock.lock();
        try {
            boolean isPossible = state.allows(next);
            if (isPossible) {
                move(next);
            }
            return isPossible;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the queue pair, and posts the receives. */
    void open(QueuePair made) {
        lock.lock();
        try {
            qp = made;
            sends.open(made);
            receives.open(made);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes that both sides can send.
     *
     * @param peer what the listener has sent; null for a server
     */
    void established(PrivateData peer) {
        lock.lock();
        try {
            if (!state.allows(ConnectionState.ESTABLISHED)) {
                return;
            }
            if (peer != null) {
                credits.established(peer.receiveBuffers());
                maxLength = Math.min(options.messageSize(), peer.messageSize());
            }
            timers.unlimited();
            move(ConnectionState.ESTABLISHED);
            timers.startKeepAlive();
            if (listener != null) {
                listener.established(this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Processes a completion; the thread that polls calls this. */
    void completed(boolean isSend, int value, int status, int length) {
        lock.lock();
        try {
            if (status == 0) {
                timers.heard();
            }
            if (isSend) {
                sendCompleted(value);
            } else {
                receives.completed();
                if (status == 0) {
                    exchange.arrived(value, length);
                }
            }
            if (status != 0 && state.isAlive()) {
                end.failed(WcStatus.of(status));
            }
            exchange.sendControl();
            if (state == ConnectionState.DRAINING && end.isDrained()) {
                device.completions().add(this);
            }
            signalChange();
        } catch (RuntimeException | Error e) {
            end.begin(end.failureOf("processing a completion", e));
        } finally {
            lock.unlock();
        }
    }

    private void sendCompleted(int sequence) {
        sends.completed(sequence);
        if (sends.takeProbeAcknowledged()) {
            timers.probeAcknowledged();
        }
        if (state == ConnectionState.CLOSING && sends.isCloseAcknowledged()) {
            end.begin(null);
        }
    }

    /** Notes the last message of the peer; the lock is held. */
    void peerClosed() {
        assert lock.isHeldByCurrentThread();
        closedSides = closedSides.withPeer();
        forgetLoss();
        requests.failFutures();
        device.completions().add(this);
        if (state == ConnectionState.CLOSING) {
            end.begin(null);
        }
    }

    /** Calls the program for what has arrived, and takes the steps of the end. The thread that polls calls this. */
    void deliver() {
        deliverMessages();
        if (state == ConnectionState.DRAINING) {
            // an Error goes to the thread that polls, which tries again
            end.drain();
        }
        deliverEnd();
    }

    private void deliverMessages() {
        try {
            calls.deliverMessages();
        } catch (RuntimeException | Error e) {
            calls.failed(e);
        }
    }

    private void deliverEnd() {
        try {
            exchange.deliverReplies();
            if (state == ConnectionState.ENDED) {
                calls.deliverClosed();
                end.releaseUnused();
            }
        } catch (RuntimeException | Error e) {
            calls.failed(e);
        }
    }

    @Override
    public String toString() {
        return (listener == null ? "connection to " : "connection from ") + text(peerAddress);
    }

    /** Returns an address without the name of its host; one of IPv6 is in brackets. */
    static String text(InetSocketAddress address) {
        return address == null || address.isUnresolved()
                ? String.valueOf(address)
                : address.toString().replaceFirst(".*/", "");
    }
}
