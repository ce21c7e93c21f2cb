package io.jverbs.rsocket;

import io.jverbs.cm.CmId;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.journal.AddressText;
import io.jverbs.rsocket.journal.StreamJournal;
import io.jverbs.rsocket.memory.Iomaps;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ControlQueue;
import io.jverbs.rsocket.protocol.ProtocolViolation;
import io.jverbs.rsocket.protocol.ReceiveBuffer;
import io.jverbs.rsocket.protocol.SendQueue;
import io.jverbs.rsocket.protocol.SendSequence;
import io.jverbs.rsocket.protocol.StreamState;
import io.jverbs.rsocket.protocol.TargetSgl;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection of a stream: its state, how it is established and how it ends. The lock of the completion queue guards
 * the state; a thread that needs the lock of the reader or of the writer too takes that first. No thread waits for the
 * peer while it holds one of these locks. Thread-safe.
 */
final class StreamConnection {
    private final StreamDevice device;
    private final RdmaStreamOptions options;
    private final InetSocketAddress peerAddress;
    private final Establishment establishment;
    private final ReentrantLock lock = new ReentrantLock();
    private final StreamWait wait = new StreamWait(this);
    private final StreamStatistics statistics = new StreamStatistics(this);
    private final StreamTimers timers;
    private final StreamResources resources;
    private volatile StreamState state = StreamState.CONNECTING;
    private volatile RdmaStreamException failure;
    private volatile boolean closed;
    /** The objects below exist in all states after CONNECTING that do not follow it at once. */
    private StreamProgress progress;
    private StreamReader reader;
    private StreamWriter writer;
    private Iomaps iomaps;

    private StreamConnection(StreamDevice device, RdmaStreamOptions options, InetSocketAddress peerAddress, CmId id,
            RdmaStreamListener listener) {
        this.device = device;
        this.options = options.within(device.attributes());
        this.peerAddress = peerAddress;
        this.timers = new StreamTimers(this);
        this.resources = new StreamResources(this);
        this.establishment = new Establishment(this, id, listener);
    }

    /** Creates the connection of a client with its ID; {@link Establishment#resolve} begins to connect. */
    static StreamConnection ofClient(StreamDevice device, RdmaStreamOptions options, InetSocketAddress peer, CmId id) {
        return new StreamConnection(device, options, peer, id, null);
    }

    /** Creates the connection of a connect request; {@link Establishment#accept} accepts it. */
    static StreamConnection ofServer(StreamDevice device, RdmaStreamListener listener, CmId id) {
        return new StreamConnection(device, listener.options(), id.peerAddress(), id, listener);
    }

    StreamDevice device() {
        return device;
    }

    RdmaStreamOptions options() {
        return options;
    }

    InetSocketAddress peerAddress() {
        return peerAddress;
    }

    Establishment establishment() {
        return establishment;
    }

    ReentrantLock lock() {
        return lock;
    }

    StreamWait waits() {
        return wait;
    }

    StreamStatistics statistics() {
        return statistics;
    }

    StreamState state() {
        return state;
    }

    boolean isClosed() {
        return closed;
    }

    StreamReader reader() {
        return reader;
    }

    StreamWriter writer() {
        return writer;
    }

    Iomaps iomaps() {
        return iomaps;
    }

    /** What is due at a time. */
    StreamTimers timers() {
        return timers;
    }

    StreamResources resources() {
        return resources;
    }

    StreamQueuePair queuePair() {
        return resources.queuePair();
    }

    /** Takes the connect data of the peer, unless the stream has ended meanwhile. */
    void peer(ConnectData data) {
        lock.lock();
        try {
            if (state != StreamState.CONNECTING) {
                return;
            }
            StreamQueuePair qp = resources.queuePair();
            SendSequence sequence = new SendSequence(data.credits());
            TargetSgl target = new TargetSgl(qp.memory().targetSgl());
            target.first(data.dataBuffer());
            SendQueue sends = new SendQueue(options.sendQueueSize() - ControlQueue.REQUESTS, options.sendBufferSize());
            ReceiveBuffer receive = new ReceiveBuffer(options.receiveBufferSize(), options.receiveQueueSize());
            iomaps = new Iomaps(qp.memory(), options.iomapSize());
            iomaps.peer(data.iomapSize());
            progress = new StreamProgress(this, qp, data, sequence, target, sends, receive, iomaps);
            writer = new StreamWriter(this, qp, data, sequence, target, sends, iomaps);
            reader = new StreamReader(this, qp.memory(), receive);
            statistics.begin(sequence, receive);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that both sides can send. */
    void established() {
        lock.lock();
        try {
            move(StreamState.Event.ESTABLISHED);
            timers.established();
        } finally {
            lock.unlock();
        }
        device.schedule(this);
        progress();
        wait.eventProcessed();
    }

    /** Processes what has completed. */
    void progress() {
        lock.lock();
        try {
            process();
        } finally {
            lock.unlock();
        }
    }

    /** Processes what has completed, unless another thread does. */
    void tryProgress() {
        if (lock.tryLock()) {
            try {
                process();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns how many completions were processed; the lock is held. */
    private int process() {
        assert lock.isHeldByCurrentThread();
        if (!carriesMessages()) {
            return 0;
        }
        try {
            return progress.process();
        } catch (ProtocolViolation e) {
            fail(new RdmaStreamException(Reason.PROTOCOL_ERROR, toString(), e.getMessage()));
        } catch (RuntimeException e) {
            failed("processing a completion", e);
        } catch (Error e) {
            // the completions that were polled and not processed are lost
            failed("processing a completion", e);
            throw e;
        }
        return 0;
    }

    /** Returns whether there is a queue pair that can have completions; the lock is held. */
    private boolean carriesMessages() {
        assert lock.isHeldByCurrentThread();
        return progress != null && state != StreamState.CONNECTING && resources.isHeld();
    }

    /** Makes the completion queue raise an event, and processes what has completed before. */
    void arm() {
        lock.lock();
        try {
            StreamQueuePair qp = resources.queuePair();
            if (qp != null && resources.isHeld()) {
                qp.cq().requestNotification(false);
                processAll();
            }
        } catch (RuntimeException e) {
            failed("arming the completion queue", e);
        } catch (Error e) {
            // maybe in a thread that processes the events of other streams
            failed("arming the completion queue", e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Processes completions until there is none: those that came before the queue was armed raise no event. */
    private void processAll() {
        while (process() == StreamProgress.BATCH) {
            // the next ones
        }
    }

    /**
     * Changes the state after an event, sends the message that the change requires, and wakes the threads that wait.
     * The lock is held.
     */
    void move(StreamState.Event event) {
        assert lock.isHeldByCurrentThread();
        StreamState before = state;
        StreamState next = before.after(event);
        if (next == before) {
            return;
        }
        try {
            if (next.isEnded()) {
                // before a thread can see the end
                StreamJournal.ended(statistics, failure == null ? event : failure.reason(), failure);
            }
        } finally {
            state = next;
            announce(next.message(before));
        }
    }

    /** Sends the message that a change requires, -1 for none, and wakes the threads that wait. */
    private void announce(int message) {
        try {
            if (message >= 0) {
                progress.sendEnd(message);
            }
        } catch (RuntimeException e) {
            failed("posting a control message", e);
        } catch (Error e) {
            failed("posting a control message", e);
            throw e;
        } finally {
            wait.changed();
        }
    }

    /** Changes the state after an event, and processes what has completed. */
    void change(StreamState.Event event) {
        lock.lock();
        try {
            move(event);
            process();
        } finally {
            lock.unlock();
        }
    }

    /** Discards what has arrived and what arrives; the reader calls this with its lock. */
    void discardInput() {
        lock.lock();
        try {
            progress.discardInput();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes a thread that waits for an event of the completion queue: the completion of a keep-alive raises one. */
    void raiseEvent() {
        lock.lock();
        try {
            if (wait.hasWaiters()) {
                sendKeepAlive();
            }
        } catch (RuntimeException e) {
            failed("posting a keep-alive", e);
        } finally {
            lock.unlock();
        }
    }

    /** Fails the stream because a step has failed. */
    void failed(String step, Throwable cause) {
        fail(device.context().isClosed()
                ? new RdmaStreamException(Reason.CONTEXT_CLOSED, toString(), "the context of this side was closed",
                        cause)
                : new RdmaStreamException(Reason.DEVICE_FAILED, toString(), step + " failed: " + cause, cause));
    }

    /** Fails the stream, unless it has ended. */
    void fail(RdmaStreamException cause) {
        fail(cause, StreamState.Event.FAILURE);
    }

    private void fail(RdmaStreamException cause, StreamState.Event event) {
        lock.lock();
        try {
            if (state.isEnded()) {
                return;
            }
            boolean wasConnected = state.isConnected();
            failure = cause;
            move(event);
            if (wasConnected) {
                // in another thread, which holds no lock of this stream
                device.later(establishment::disconnect);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the peer has disconnected; the thread of the events calls this. */
    void disconnected() {
        lock.lock();
        try {
            // the messages before
            processAll();
            endConnection();
        } finally {
            lock.unlock();
        }
        establishment.disconnect();
    }

    /** Notes that the queue pair has moved to ERR; the lock is held. */
    void flushed() {
        assert lock.isHeldByCurrentThread();
        endConnection();
    }

    /** Ends the stream if both directions have ended; otherwise the peer is lost. */
    private void endConnection() {
        if (state.isEnding()) {
            move(StreamState.Event.DISCONNECTED);
        } else if (state.isConnected()) {
            fail(new RdmaStreamException(Reason.PEER_LOST, toString(),
                    "the peer has disconnected without closing the stream: check whether its process has ended"),
                    StreamState.Event.DISCONNECTED);
        }
    }

    /** Fails the stream because its context was closed, which has destroyed everything. */
    void contextClosed() {
        failed("the context", null);
    }

    /** Throws why the stream does not go on, if it has failed. */
    void requireNoFailure() throws RdmaStreamException {
        RdmaStreamException present = failure;
        if (present != null) {
            throw present.again();
        }
    }

    /** Throws if the program has closed the stream. */
    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Sends a keep-alive, if the stream is connected; the lock is held. */
    void sendKeepAlive() {
        assert lock.isHeldByCurrentThread();
        if (carriesMessages() && state.isConnected()) {
            progress.sendKeepAlive();
        }
    }

    /** Closes the stream: waits until the peer has acknowledged everything, for a time, and destroys what it has. */
    void close() {
        beginClose();
        endClose(System.nanoTime() + options.closeTimeout().toNanos());
    }

    /** Closes the stream without a message to the peer and without a wait for it. */
    void abort() {
        closed = true;
        change(StreamState.Event.ABORT);
        close();
    }

    /** Ends both directions, and does not wait. */
    void beginClose() {
        closed = true;
        if (!endEstablishment()) {
            // a thread that is in the middle of a transfer ends it before
            reader.close();
            writer.close();
        }
        wait.changed();
    }

    /** Ends the stream if it is not established yet; returns whether it has never been. */
    private boolean endEstablishment() {
        lock.lock();
        try {
            if (state == StreamState.CONNECTING) {
                move(StreamState.Event.CLOSE);
            }
            return reader == null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the peer has acknowledged everything, until a time, and destroys what the stream has. */
    void endClose(long deadline) {
        if (state.isConnected()) {
            wait.awaitEnd(Math.max(0, deadline - System.nanoTime()));
            // no acknowledgement is processed any more
            change(StreamState.Event.DISCONNECTED);
        }
        resources.release();
    }

    @Override
    public String toString() {
        return (establishment != null && establishment.isServer() ? "stream from " : "stream to ")
                + AddressText.of(peerAddress);
    }
}
