package io.jverbs.endpoint;

import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.endpoint.BufferPool.ConnectionBuffers;

/** The send queue and the receive queue of a connection. */
final class WorkQueues {
    private WorkQueues() {}

    /**
     * The send queue of a connection: its free buffers, and the posted requests in their order. Not every request is
     * signaled: a completion frees the buffers of all requests up to its own. The lock of the connection guards this
     * object.
     */
    static final class SendQueue {
        /** A request without a buffer: a check whether the peer responds. */
        private static final int PROBE = -1;
        /** The last request, which is posted in ERR. Its completion comes after all others. */
        private static final int LAST = -2;
        private static final int SEQUENCE_MASK = CompletionProcessor.VALUE_MASK;

        /**
         * How far the last message of this side, CLOSE, has come.
         * <pre>
         * state           CLOSE sent    its request completed
         * NOT_SENT        SENT          -
         * SENT            -             ACKNOWLEDGED
         * ACKNOWLEDGED    -             -
         * </pre>
         */
        private enum CloseProgress {
            /** It was not sent. */
            NOT_SENT,
            /** It is posted, with the sequence number {@link SendQueue#closeSequence}. */
            SENT,
            /** The device of the peer has acknowledged it. */
            ACKNOWLEDGED
        }

        private final ConnectionBuffers buffers;
        private final Credits credits;
        private final int token;
        private final int capacity;
        private final int signalEvery;
        /** The buffers of the posted requests, a ring. */
        private final int[] posted;
        private int head;
        private int count;
        /** The sequence number of the request at the head. */
        private int headSequence;
        private final int[] free;
        private int freeCount;
        private int controlInUse;
        private int unsignaled;
        private QueuePair qp;
        private CloseProgress close = CloseProgress.NOT_SENT;
        private int closeSequence;
        private boolean probeAcknowledged;
        private boolean drained;

        SendQueue(ConnectionBuffers buffers, Credits credits, int token) {
            this.buffers = buffers;
            this.credits = credits;
            this.token = token;
            int sends = buffers.shape().sends();
            capacity = capacity(sends);
            signalEvery = Math.max(1, sends / 2);
            posted = new int[capacity];
            free = new int[sends];
            for (int i = 0; i < sends; i++) {
                free[freeCount++] = sends - 1 - i;
            }
        }

        /**
         * Returns how many requests a queue pair must hold: all buffers, control messages, a probe and the last one.
         */
        static int capacity(int sends) {
            return sends + Credits.CONTROL + 2;
        }

        void open(QueuePair queuePair) {
            qp = queuePair;
        }

        boolean hasBuffer() {
            return freeCount > 0;
        }

        int takeBuffer() {
            return free[--freeCount];
        }

        void giveBuffer(int index) {
            free[freeCount++] = index;
        }

        /** Returns whether a control message can be sent: there are a credit and a buffer for it. */
        boolean canSendControl() {
            return credits.controlAvailable() && controlInUse != (1 << Credits.CONTROL) - 1;
        }

        /** Sends a message of the program, for which there is a credit. */
        void send(int buffer, int type, int length, long requestId) {
            send(buffer, type, length, requestId, false);
        }

        /** Sends a control message, for which there are a credit and a buffer. */
        void sendControl(int type) {
            int index = Integer.numberOfTrailingZeros(~controlInUse);
            controlInUse |= 1 << index;
            if (type == WireFormat.CLOSE) {
                close = CloseProgress.SENT;
                closeSequence = headSequence + count & SEQUENCE_MASK;
            }
            send(buffers.shape().sends() + index, type, 0, 0, true);
        }

        private void send(int buffer, int type, int length, long requestId, boolean control) {
            long at = buffers.sendOffset(buffer);
            WireFormat.write(buffers.memory(), at, type, length, requestId);
            WireFormat.writeCredits(buffers.memory(), at, credits.controlToReturn(), credits.toReturn());
            SendWorkRequest request = buffers.send().sge(buffers.region(), at, WireFormat.HEADER_BYTES + length);
            boolean signaled = control || unsignaled + 1 >= signalEvery;
            post(request, buffer, signaled);
            credits.take(control);
            credits.sent();
            unsignaled = signaled ? 0 : unsignaled + 1;
        }

        /** Posts a WRITE of no bytes. */
        void probe() {
            SendWorkRequest request = buffers.send();
            request.opcode(WrOpcode.RDMA_WRITE).remote(0, 0).sgeCount(0);
            try {
                post(request, PROBE, true);
            } finally {
                request.opcode(WrOpcode.SEND);
            }
        }

        /** Posts the last request of a queue pair in ERR. */
        void postLast() {
            buffers.send().sgeCount(0);
            post(buffers.send(), LAST, true);
        }

        private void post(SendWorkRequest request, int buffer, boolean signaled) {
            request.wrId(CompletionProcessor.sendId(token, headSequence + count & SEQUENCE_MASK))
                    .flags(signaled ? SendFlags.SIGNALED : 0);
            int at = head + count;
            posted[at < capacity ? at : at - capacity] = buffer;
            count++;
            boolean isPosted = false;
            try {
                qp.postSend(request);
                isPosted = true;
            } finally {
                if (!isPosted) {
                    count--;
                    free(buffer);
                }
            }
        }

        private void free(int buffer) {
            int sends = buffers.shape().sends();
            if (buffer >= sends) {
                controlInUse &= ~(1 << buffer - sends);
            } else if (buffer >= 0) {
                giveBuffer(buffer);
            } else if (buffer == PROBE) {
                probeAcknowledged = true;
            } else {
                drained = true;
            }
        }

        /** Frees the buffers of all requests up to one that has completed. */
        void completed(int sequence) {
            boolean isLast = count == 0;
            while (!isLast) {
                isLast = headSequence == sequence || count == 1;
                free(posted[head]);
                if (close == CloseProgress.SENT && headSequence == closeSequence) {
                    close = CloseProgress.ACKNOWLEDGED;
                }
                head = head + 1 < capacity ? head + 1 : 0;
                headSequence = headSequence + 1 & SEQUENCE_MASK;
                count--;
            }
        }

        /** Returns whether a probe has completed since the last call. */
        boolean takeProbeAcknowledged() {
            boolean result = probeAcknowledged;
            probeAcknowledged = false;
            return result;
        }

        /** Returns whether the last message of this side has completed. */
        boolean isCloseAcknowledged() {
            return close == CloseProgress.ACKNOWLEDGED;
        }

        boolean isCloseSent() {
            return close != CloseProgress.NOT_SENT;
        }

        /** Returns whether the last request has completed. */
        boolean isDrained() {
            return drained;
        }
    }

    /**
     * The receive queue of a connection: its posted receives, and the messages that have arrived and that the program
     * has not taken yet. The lock of the connection guards this object.
     */
    static final class ReceiveQueue {
        private final ConnectionBuffers buffers;
        private final int token;
        private final Message[] arrived;
        private int head;
        private int count;
        private int posted;
        private QueuePair qp;

        ReceiveQueue(ConnectionBuffers buffers, int token) {
            this.buffers = buffers;
            this.token = token;
            this.arrived = new Message[buffers.shape().receives()];
        }

        /** Posts all buffers. */
        void open(QueuePair queuePair) {
            qp = queuePair;
            for (int i = 0; i < arrived.length; i++) {
                post(i);
            }
        }

        /** Posts a buffer. */
        void post(int index) {
            ReceiveWorkRequest request = buffers.receive().wrId(CompletionProcessor.receiveId(token, index))
                    .sge(buffers.region(), buffers.receiveOffset(index), buffers.shape().slot());
            qp.postReceive(request);
            posted++;
        }

        /** Notes that a receive has completed. */
        void completed() {
            posted--;
        }

        boolean isDrained() {
            return posted == 0;
        }

        /** Adds a message that has arrived. */
        void add(Message message) {
            int at = head + count;
            arrived[at < arrived.length ? at : at - arrived.length] = message;
            count++;
        }

        boolean isEmpty() {
            return count == 0;
        }

        /** Removes the oldest message; null if there is none. */
        Message take() {
            if (count == 0) {
                return null;
            }
            Message message = arrived[head];
            arrived[head] = null;
            head = head + 1 < arrived.length ? head + 1 : 0;
            count--;
            return message;
        }
    }
}
