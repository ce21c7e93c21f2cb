package io.jverbs.rsocket;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmId;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ControlQueue;
import io.jverbs.rsocket.protocol.ProtocolViolation;
import io.jverbs.rsocket.protocol.ReceiveBuffer;
import io.jverbs.rsocket.protocol.SendQueue;
import io.jverbs.rsocket.protocol.SendSequence;
import io.jverbs.rsocket.protocol.TargetSgl;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a stream: its state, how it is established and how it ends. The lock of the completion queue guards
 * the state; a thread that needs the lock of the reader or of the writer too takes that first. Thread-safe.
 */
final class StreamConnection {
    private static final Logger LOG = LoggerFactory.getLogger(StreamConnection.class);

    private final StreamDevice device;
    private final RdmaStreamOptions options;
    private final InetSocketAddress peerAddress;
    private final Establishment establishment;
    private final ReentrantLock lock = new ReentrantLock();
    private final StreamWait wait = new StreamWait(this);
    private final StreamTimers timers;
    private volatile StreamState state = StreamState.CONNECTING;
    private volatile RdmaStreamException failure;
    private volatile boolean closed;
    /** The objects below exist in all states after CONNECTING that do not follow it at once. */
    private StreamQueuePair qp;
    private ConnectData peer;
    private StreamProgress progress;
    private StreamReader reader;
    private StreamWriter writer;
    private Iomaps iomaps;
    private Release release = Release.HELD;

    /**
     * What of the resources is given back.
     * <pre>
     * state       close         an Error ends it
     * HELD        RELEASING     -
     * RELEASING   RELEASED      HELD
     * RELEASED    -             -
     * </pre>
     */
    private enum Release {
        HELD, RELEASING, RELEASED
    }

    private StreamConnection(StreamDevice device, RdmaStreamOptions options, InetSocketAddress peerAddress, CmId id,
            RdmaStreamListener listener) {
        this.device = device;
        this.options = options;
        this.peerAddress = peerAddress;
        this.timers = new StreamTimers(this);
        this.establishment = id == null
                ? new Establishment(this, device, options)
                : new Establishment(this, options, id, listener);
    }

    /** Creates the connection of a client; {@link Establishment#resolve} begins to connect. */
    static StreamConnection ofClient(StreamDevice device, RdmaStreamOptions options, InetSocketAddress peer) {
        StreamConnection made = new StreamConnection(device, options, peer, null, null);
        device.add(made);
        return made;
    }

    /** Creates the connection of a connect request; {@link Establishment#accept} accepts it. */
    static StreamConnection ofServer(StreamDevice device, RdmaStreamListener listener, CmId id) {
        StreamConnection made = new StreamConnection(device, listener.options(), id.peerAddress(), id, listener);
        device.add(made);
        return made;
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

    /** Returns the connect data of this side. */
    ConnectData connectData() {
        return qp.memory().connectData(options);
    }

    /** Takes the queue pair. */
    void open(StreamQueuePair made) {
        lock.lock();
        try {
            qp = made;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the connect data of the peer. */
    void peer(ConnectData data) {
        lock.lock();
        try {
            peer = data;
            SendSequence sequence = new SendSequence(data.credits());
            TargetSgl target = new TargetSgl(qp.memory().targetSgl());
            target.first(data.dataBuffer());
            SendQueue sends = new SendQueue(options.sendQueueSize() - ControlQueue.ENTRIES, options.sendBufferSize());
            ReceiveBuffer receive = new ReceiveBuffer(options.receiveBufferSize(), options.receiveQueueSize());
            iomaps = new Iomaps(qp.memory(), options.iomapSize());
            iomaps.peer(data.iomapSize());
            progress = new StreamProgress(this, qp, data, sequence, target, sends, receive, iomaps);
            writer = new StreamWriter(this, qp, data, sequence, target, sends, iomaps);
            reader = new StreamReader(this, qp.memory(), receive);
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
        device.wake();
        progress();
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
        if (progress == null || state == StreamState.CONNECTING || release != Release.HELD) {
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

    /** Makes the completion queue raise an event, and processes what has completed before. */
    void arm() {
        lock.lock();
        try {
            if (qp != null && release == Release.HELD) {
                qp.cq().requestNotification(false);
                process();
            }
        } catch (RuntimeException e) {
            failed("arming the completion queue", e);
        } finally {
            lock.unlock();
        }
    }

    /** Changes the state after an event, and wakes the threads that wait; the lock is held. */
    void move(StreamState.Event event) {
        assert lock.isHeldByCurrentThread();
        StreamState before = state;
        StreamState next = before.after(event);
        if (next != before) {
            int message = next.message(before);
            if (message >= 0) {
                progress.send(message);
            }
            state = next;
            wait.changed();
        }
    }

    /** Ends the output of this side; the writer calls this, and sends nothing afterwards. */
    void shutdownOutput() {
        change(StreamState.Event.SHUTDOWN_OUTPUT);
    }

    /** Ends the input of this side: what arrives is discarded. */
    void shutdownInput() {
        change(StreamState.Event.SHUTDOWN_INPUT);
    }

    private void change(StreamState.Event event) {
        lock.lock();
        try {
            if (event != StreamState.Event.SHUTDOWN_OUTPUT && progress != null) {
                progress.discardInput();
            }
            move(event);
            process();
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

    /** Fails the stream because an Error has ended a step after which it cannot go on. */
    void broken(String step) {
        fail(new RdmaStreamException(Reason.DEVICE_FAILED, toString(), step));
    }

    /** Fails the stream, unless it has ended. */
    void fail(RdmaStreamException cause) {
        lock.lock();
        try {
            if (state.isEnded()) {
                return;
            }
            boolean wasConnected = state.isConnected();
            failure = cause;
            move(StreamState.Event.FAILURE);
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
            while (process() > 0) {
                // the messages before
            }
            if (state == StreamState.DISCONNECTING) {
                move(StreamState.Event.PEER_DISCONNECT);
            } else if (state.isConnected()) {
                fail(lost());
            }
        } finally {
            lock.unlock();
        }
        establishment.disconnect();
    }

    /** Returns that the peer has disconnected without the message. */
    RdmaStreamException lost() {
        return new RdmaStreamException(Reason.PEER_LOST, toString(),
                "the peer has disconnected without closing the stream: check whether its process has ended");
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

    /** Sends a keep-alive; the lock is held. */
    void sendKeepAlive() {
        assert lock.isHeldByCurrentThread();
        progress.sendKeepAlive();
    }

    /** Closes the stream: waits until the peer has acknowledged everything, for a time, and destroys what it has. */
    void close() {
        closed = true;
        change(StreamState.Event.CLOSE);
        wait.changed();
        if (state.isConnected()) {
            wait.awaitEnd(options.closeTimeout().toNanos());
        }
        if (beginRelease()) {
            boolean isDone = false;
            try {
                release();
                isDone = true;
            } finally {
                endRelease(isDone);
            }
        }
    }

    private boolean beginRelease() {
        lock.lock();
        try {
            boolean isFirst = release == Release.HELD;
            if (isFirst) {
                release = Release.RELEASING;
            }
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    private void endRelease(boolean isDone) {
        lock.lock();
        try {
            release = isDone ? Release.RELEASED : Release.HELD;
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        // a thread that is in the middle of a transfer ends it before its memory is deregistered
        if (writer != null) {
            writer.awaitIdle();
            reader.awaitIdle();
        }
        device.remove(this);
        try {
            if (!device.context().isClosed()) {
                destroy();
            }
        } catch (IllegalStateException e) {
            LOG.debug("{} ends with its context", this, e);
        }
        // after an Error, the next close does what is left, and this at the end
        device.release();
    }

    private void destroy() {
        establishment.disconnect();
        if (qp != null) {
            toError();
            qp.close(establishment.id());
            if (iomaps != null) {
                iomaps.close();
            }
        }
        establishment.id().close();
    }

    /** The peer gets no acknowledgement of anything that it sends from now on. */
    private void toError() {
        try {
            qp.qp().modify(QpAttributes.builder().state(QpState.ERR).build());
        } catch (VerbsException e) {
            LOG.debug("the queue pair of {} was not moved to ERR", this, e);
        }
    }

    @Override
    public String toString() {
        return (establishment != null && establishment.isServer() ? "stream from " : "stream to ") + text(peerAddress);
    }

    /** Returns an address without the name of its host. */
    static String text(InetSocketAddress address) {
        return address == null || address.isUnresolved()
                ? String.valueOf(address)
                : address.toString().replaceFirst(".*/", "");
    }
}
