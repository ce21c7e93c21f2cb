package io.jverbs.endpoint;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the registered buffers of ended connections for new ones with the same options, since allocating and
 * registering memory takes longer than all other steps of a connection. Thread-safe.
 */
final class BufferPool {
    /** How many bytes of unused buffers are kept. */
    private static final long MAX_FREE_BYTES = 64L << 20;

    private final ProtectionDomain pd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ConnectionBuffers.Shape, ArrayDeque<ConnectionBuffers>> free = new HashMap<>();
    private final Set<ConnectionBuffers> all = new HashSet<>();
    private long freeBytes;
    private boolean closed;

    BufferPool(ProtectionDomain pd) {
        this.pd = pd;
    }

    /** Returns buffers that nobody else uses. */
    ConnectionBuffers take(ConnectionBuffers.Shape shape) {
        lock.lock();
        try {
            ArrayDeque<ConnectionBuffers> same = free.get(shape);
            ConnectionBuffers found = same == null ? null : same.poll();
            if (found != null) {
                freeBytes -= shape.bytes();
                if (same.isEmpty()) {
                    free.remove(shape);
                }
                return found;
            }
            ConnectionBuffers made = new ConnectionBuffers(pd, shape);
            boolean isAdded = false;
            try {
                all.add(made);
                isAdded = true;
            } finally {
                if (!isAdded) {
                    made.region().close();
                }
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes buffers back.
     *
     * @param reusable whether neither the program nor the device uses them
     */
    void give(ConnectionBuffers buffers, boolean reusable) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (reusable && freeBytes + buffers.shape().bytes() <= MAX_FREE_BYTES) {
                free.computeIfAbsent(buffers.shape(), shape -> new ArrayDeque<>()).push(buffers);
                freeBytes += buffers.shape().bytes();
            } else {
                buffers.region().close();
                all.remove(buffers);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters all memory. What the program still holds stays readable. */
    void close() {
        lock.lock();
        try {
            // after an Error, the next call closes what is left
            closed = true;
            free.clear();
            for (ConnectionBuffers each : all) {
                each.region().close();
            }
            all.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The registered memory of a connection with its buffers, and its work requests: a region with slots for messages
     * to send, for control messages to send, and for messages to receive. The lock of the connection that uses it
     * guards it.
     */
    static final class ConnectionBuffers {
        private static final int ALIGNMENT = 64;

        /**
         * The numbers and the size of the buffers.
         *
         * @param sends the number of buffers for messages of the program
         * @param receives the number of buffers for messages of the peer, those for control messages included
         * @param messageSize the maximum length of a message
         */
        record Shape(int sends, int receives, int messageSize) {
            static Shape of(EndpointOptions options) {
                return new Shape(options.sendBuffers(), options.receiveBuffers() + Credits.CONTROL,
                        options.messageSize());
            }

            /** Returns the size of a slot: the header and the message, rounded up. */
            long slot() {
                return (WireFormat.HEADER_BYTES + (long) messageSize + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            }

            long bytes() {
                return (sends + receives) * slot() + Credits.CONTROL * (long) ALIGNMENT;
            }
        }

        private final Shape shape;
        private final long slot;
        private final MemoryRegion region;
        private final MemorySegment memory;
        private final Buffer[] buffers;
        private final Message[] messages;
        private final SendWorkRequest send = SendWorkRequest.create(1);
        private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);

        ConnectionBuffers(ProtectionDomain pd, Shape shape) {
            this.shape = shape;
            this.slot = shape.slot();
            this.buffers = new Buffer[shape.sends()];
            this.messages = new Message[shape.receives()];
            this.region = pd.allocate(shape.bytes(), Access.LOCAL_WRITE);
            boolean isMade = false;
            try {
                this.memory = region.segment();
                for (int i = 0; i < buffers.length; i++) {
                    buffers[i] = new Buffer(i, payload(sendOffset(i)));
                }
                for (int i = 0; i < messages.length; i++) {
                    messages[i] = new Message(i, payload(receiveOffset(i)));
                }
                isMade = true;
            } finally {
                if (!isMade) {
                    region.close();
                }
            }
        }

        private MemorySegment payload(long at) {
            return memory.asSlice(at + WireFormat.HEADER_BYTES, shape.messageSize());
        }

        Shape shape() {
            return shape;
        }

        MemoryRegion region() {
            return region;
        }

        MemorySegment memory() {
            return memory;
        }

        /** Returns where the slot of a message to send begins; the slots of control messages are after the others. */
        long sendOffset(int index) {
            return index < buffers.length ? index * slot : controlOffset(index - buffers.length);
        }

        private long controlOffset(int index) {
            return (buffers.length + messages.length) * slot + index * (long) ALIGNMENT;
        }

        long receiveOffset(int index) {
            return (buffers.length + index) * slot;
        }

        Buffer buffer(int index) {
            return buffers[index];
        }

        Message message(int index) {
            return messages[index];
        }

        SendWorkRequest send() {
            return send;
        }

        ReceiveWorkRequest receive() {
            return receive;
        }

        /** Makes the buffers those of a connection. */
        void attach(Connection connection) {
            for (Buffer each : buffers) {
                each.attach(connection);
            }
            for (Message each : messages) {
                each.attach(connection);
            }
        }

        /** Returns whether the program has none of the buffers. */
        boolean isUnused() {
            for (Buffer each : buffers) {
                if (each.isHeld()) {
                    return false;
                }
            }
            for (Message each : messages) {
                if (each.isHeld()) {
                    return false;
                }
            }
            return true;
        }
    }
}
