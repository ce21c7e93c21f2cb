package io.jverbs.endpoint;

import io.jverbs.endpoint.BufferPool.ConnectionBuffers;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.WorkQueues.ReceiveQueue;
import io.jverbs.endpoint.WorkQueues.SendQueue;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages of a connection: sends them, waits for them, and processes those that have arrived. A thread that waits
 * polls for a time, and blocks afterwards. The lock of the connection guards the state. Thread-safe.
 */
final class MessageExchange {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private final Connection connection;
    private final ConnectionWait waits;
    private final ReentrantLock lock;
    private final ConnectionBuffers buffers;
    private final Credits credits;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Requests requests;

    MessageExchange(Connection connection, ConnectionBuffers buffers, Credits credits, SendQueue sends,
            ReceiveQueue receives, Requests requests) {
        this.connection = connection;
        this.waits = new ConnectionWait(connection, credits, sends, receives);
        this.lock = connection.lock();
        this.buffers = buffers;
        this.credits = credits;
        this.sends = sends;
        this.receives = receives;
        this.requests = requests;
    }

    /** Throws if no message can be sent; the lock is held. */
    private void requireOpen() {
        assert lock.isHeldByCurrentThread();
        if (connection.isUserClosed()) {
            throw new IllegalStateException("the endpoint of the " + connection + " is closed");
        }
        if (!connection.isPeerClosed() && connection.state().isAlive()) {
            return;
        }
        if (connection.isPeerClosed() || connection.failure() == null) {
            throw new EndpointException(Reason.PEER_CLOSED, connection.toString(), "the peer has closed its endpoint");
        }
        throw connection.failure().again();
    }

    /** Returns whether messages can be sent. */
    boolean isOpen() {
        lock.lock();
        try {
            return connection.state() == ConnectionState.ESTABLISHED && !connection.isPeerClosed();
        } finally {
            lock.unlock();
        }
    }

    void awaitEnded() {
        waits.awaitEnded();
    }

    private void requireNotFailed() {
        if (!connection.state().isAlive() && connection.failure() != null) {
            throw connection.failure().again();
        }
    }

    /** Waits until the connection is established. */
    void awaitEstablished(long nanos) throws InterruptedException {
        lock.lock();
        try {
            boolean isDone = waits.await(ConnectionWait.Goal.ESTABLISHED, null, nanos);
            requireNotFailed();
            if (!isDone) {
                throw new EndpointException(Reason.TIMED_OUT, connection.toString(), connection.notEstablished());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a free buffer. */
    Buffer buffer() throws InterruptedException {
        lock.lock();
        try {
            waits.await(ConnectionWait.Goal.BUFFER, null, NO_LIMIT);
            requireOpen();
            Buffer buffer = buffers.buffer(sends.takeBuffer());
            buffer.held(true);
            return buffer;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back a buffer that was not sent. */
    void release(Buffer buffer) {
        lock.lock();
        try {
            if (buffer.isHeld()) {
                buffer.held(false);
                sends.giveBuffer(buffer.index());
                connection.signalChange();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message: either a copy of some memory, or a buffer. */
    void send(int type, long requestId, MemorySegment source, Buffer buffer, long length) throws InterruptedException {
        lock.lock();
        try {
            sendLocked(type, requestId, source, buffer, length);
        } finally {
            lock.unlock();
        }
    }

    private void sendLocked(int type, long requestId, MemorySegment source, Buffer buffer, long length)
            throws InterruptedException {
        if (buffer != null && !buffer.isOf(this)) {
            throw new IllegalArgumentException(buffer + " is not an open buffer of this endpoint");
        }
        if (length < 0 || length > connection.maxLength()) {
            throw new IllegalArgumentException("the message has " + length + " bytes, allowed are 0 to "
                    + connection.maxLength() + ", the smaller messageSize of both sides");
        }
        waits.await(buffer == null ? ConnectionWait.Goal.BUFFER_AND_CREDIT : ConnectionWait.Goal.CREDIT, null,
                NO_LIMIT);
        requireOpen();
        int index = buffer == null ? fill(source, length) : buffer.index();
        if (buffer != null) {
            buffer.held(false);
        }
        try {
            sends.send(index, type, (int) length, requestId);
        } catch (RuntimeException | Error e) {
            EndpointException failure = connection.end().failureOf("posting", e);
            connection.end().begin(failure);
            throw failure;
        }
    }

    private int fill(MemorySegment source, long length) {
        int index = sends.takeBuffer();
        boolean isFilled = false;
        try {
            MemorySegment.copy(source, 0, buffers.memory(), buffers.sendOffset(index) + WireFormat.HEADER_BYTES,
                    length);
            isFilled = true;
            return index;
        } finally {
            if (!isFilled) {
                sends.giveBuffer(index);
            }
        }
    }

    /** Sends a request, and waits for its reply. */
    Message call(MemorySegment source, Buffer buffer, long length, long nanos) throws InterruptedException {
        lock.lock();
        try {
            Requests.Pending pending = requests.begin(null);
            Message reply = null;
            try {
                sendLocked(WireFormat.REQUEST, pending.id(), source, buffer, length);
                waits.await(ConnectionWait.Goal.REPLY, pending, nanos);
                reply = pending.reply();
            } finally {
                Message unused = reply == null ? pending.reply() : null;
                requests.end(pending);
                if (unused != null) {
                    release(unused);
                }
            }
            if (reply == null) {
                requireOpen();
                throw new EndpointException(Reason.TIMED_OUT, connection.toString(), "no reply within "
                        + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
            }
            return reply;
        } finally {
            lock.unlock();
        }
    }

    /** Sends a request, and returns a future of its reply. */
    CompletableFuture<Message> request(MemorySegment source, Buffer buffer, long length) throws InterruptedException {
        CompletableFuture<Message> future = new CompletableFuture<>();
        lock.lock();
        try {
            connection.device().completions().handlerAdded();
            Requests.Pending pending = null;
            boolean isSent = false;
            try {
                pending = requests.begin(future);
                sendLocked(WireFormat.REQUEST, pending.id(), source, buffer, length);
                isSent = true;
            } finally {
                if (!isSent && (pending == null || requests.abandon(pending, future))) {
                    connection.device().completions().handlerRemoved();
                }
            }
        } finally {
            lock.unlock();
        }
        return future;
    }

    /** Waits for a message; null if the peer has closed, or after a time. */
    Message receive(long nanos) throws InterruptedException {
        lock.lock();
        try {
            waits.await(ConnectionWait.Goal.MESSAGE, null, nanos);
            if (connection.calls().hasHandler()) {
                throw new IllegalStateException("the handler of the endpoint gets its messages");
            }
            if (connection.isUserClosed()) {
                requireOpen();
            }
            Message message = receives.take();
            if (message == null && !connection.isPeerClosed()) {
                requireNotFailed();
            }
            return message;
        } finally {
            lock.unlock();
        }
    }

    /** Posts the receive of a message again. */
    void release(Message message) {
        lock.lock();
        try {
            if (message.isHeld()) {
                message.held(false);
                repost(message.index(), false);
                sendControl();
            }
        } catch (RuntimeException e) {
            connection.end().begin(connection.end().failureOf("posting a receive", e));
        } finally {
            lock.unlock();
        }
    }

    private void repost(int index, boolean control) {
        if (connection.state().isAlive() && !connection.isPeerClosed()) {
            receives.post(index);
            credits.posted(control);
        }
    }

    /** Sends the control messages that are necessary and possible; the lock is held. */
    void sendControl() {
        assert lock.isHeldByCurrentThread();
        if (connection.state() == ConnectionState.CLOSING) {
            if (!sends.isCloseSent() && sends.canSendControl()) {
                sends.sendControl(WireFormat.CLOSE);
            }
        } else if (connection.state() == ConnectionState.ESTABLISHED && !connection.isPeerClosed()
                && credits.mustReturn() && sends.canSendControl()) {
            sends.sendControl(WireFormat.CREDIT);
        }
    }

    /** Processes a message that has arrived; the lock is held. */
    void arrived(int index, int bytes) {
        assert lock.isHeldByCurrentThread();
        if (connection.state() == ConnectionState.ACCEPTING) {
            // before the event that says so
            connection.established(null);
        }
        MemorySegment memory = buffers.memory();
        long at = buffers.receiveOffset(index);
        int length = bytes < WireFormat.HEADER_BYTES ? -1 : WireFormat.length(memory, at);
        if (length != bytes - WireFormat.HEADER_BYTES || length > connection.options().messageSize()) {
            violated("a message of " + bytes + " bytes has the length " + length + " in its header");
        } else if (!credits.returned(WireFormat.credits(memory, at), WireFormat.controlCredits(memory, at))) {
            violated("a message returns " + WireFormat.credits(memory, at) + " and "
                    + WireFormat.controlCredits(memory, at) + " credits, which is more than were used");
        } else {
            dispatch(index, length, WireFormat.type(memory, at), WireFormat.requestId(memory, at));
        }
    }

    private void violated(String how) {
        connection.end().begin(new EndpointException(Reason.PROTOCOL_ERROR, connection.toString(), how));
    }

    private void dispatch(int index, int length, int type, long requestId) {
        if (type == WireFormat.CREDIT) {
            repost(index, true);
            return;
        }
        if (type == WireFormat.CLOSE) {
            connection.peerClosed();
            return;
        }
        if (type < WireFormat.DATA || type > WireFormat.REPLY) {
            violated("a message has the type " + type + ", known are 1 to 5");
            return;
        }
        if (!credits.arrived()) {
            violated("a message arrived for which the peer has no credit");
            return;
        }
        if (connection.isUserClosed()) {
            return;
        }
        Message message = buffers.message(index);
        message.arrived(type, length, requestId);
        if (type != WireFormat.REPLY) {
            receives.add(message);
            if (connection.calls().hasHandler()) {
                connection.device().completions().add(connection);
            }
            return;
        }
        Requests.Pending pending = requests.reply(message, requestId);
        if (pending == null) {
            message.held(false);
            repost(index, false);
        } else if (pending.future() != null) {
            connection.device().completions().add(connection);
        }
    }

    /** Drops the messages that the program has not taken; the lock is held. */
    void discardArrived() {
        assert lock.isHeldByCurrentThread();
        for (Message next = receives.take(); next != null; next = receives.take()) {
            next.held(false);
        }
    }

    /** Completes the futures of requests that have a reply, or never will. */
    void deliverReplies() {
        for (Requests.Pending next = firstCompleted(); next != null; next = firstCompleted()) {
            complete(next);
            lock.lock();
            try {
                requests.endCompleted(next);
            } finally {
                lock.unlock();
            }
            connection.device().completions().handlerRemoved();
        }
    }

    private Requests.Pending firstCompleted() {
        lock.lock();
        try {
            return requests.firstCompleted();
        } finally {
            lock.unlock();
        }
    }

    /** Completes the future of a request, once, also if an Error comes before the request ends. */
    private void complete(Requests.Pending pending) {
        if (pending.isDelivered()) {
            return;
        }
        Message reply = pending.reply();
        if (reply == null) {
            EndpointException failure = connection.failure();
            pending.future().completeExceptionally(failure != null
                    ? failure.again()
                    : new EndpointException(Reason.PEER_CLOSED, connection.toString(),
                            "the endpoint was closed before the reply had arrived"));
        } else if (!pending.deliver(reply)) {
            reply.close();
        }
    }
}
