package io.jverbs.rsocket;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmId;
import io.jverbs.rsocket.memory.StreamMemory;
import io.jverbs.rsocket.protocol.IomapEntry;
import io.jverbs.rsocket.protocol.RemoteSge;
import io.jverbs.rsocket.protocol.StreamMessage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The verbs objects of a stream: its queue pair, completion queue, memory and protection domain, and the requests that
 * it posts. The thread that writes posts data, the one that holds the lock of the completion queue posts the rest. The
 * domain is its own, so that the keys that its peer knows, or guesses, are of no use for the memory of other streams.
 */
final class StreamQueuePair {
    /** The ID of a receive request. */
    static final long RECEIVE = 1L << 63;
    /** The ID of a control or SGL message has this bit, and the message. */
    static final long CONTROL = 1L << 62;
    /** The ID of a keep-alive. */
    static final long KEEP_ALIVE = 1L << 61;
    /** The maximum number of bytes of a message, as in librdmacm. */
    static final int MAX_TRANSFER = 1 << 16;

    /** How many receives are posted at a time. */
    private static final int RECEIVE_BATCH = 16;
    /** How many receives there are more than the peer has credits. */
    static final int EXTRA_RECEIVES = 2 * RECEIVE_BATCH;
    private static final ValueLayout.OfLong[] LONGS = {
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN)};
    private static final ValueLayout.OfInt[] INTS = {
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN)};

    private final ProtectionDomain pd;
    private final StreamMemory memory;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final int inlineSize;
    private final SendWorkRequest data = SendWorkRequest.create(1);
    private final SendWorkRequest control = SendWorkRequest.create(1);
    private final ReceiveWorkRequest receives;
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(0).wrId(RECEIVE);
    /** The completed receives that are not posted again; guarded by the lock of the completion queue. */
    private int toPost;

    /**
     * Creates the objects, and posts all receives.
     *
     * @param options the options, within the limits of the device
     * @param owner what the completion queue has as context
     */
    StreamQueuePair(StreamDevice device, CmId id, RdmaStreamOptions options, Object owner) {
        int receiveCount = options.receiveQueueSize() + EXTRA_RECEIVES;
        pd = device.context().allocatePd();
        StreamMemory madeMemory = null;
        CompletionQueue madeCq = null;
        QueuePair madeQp = null;
        boolean isMade = false;
        try {
            madeMemory = new StreamMemory(pd, options.sendBufferSize(), options.receiveBufferSize(),
                    options.iomapSize());
            madeCq = device.createCompletionQueue(options.sendQueueSize() + receiveCount, owner);
            madeQp = id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(madeCq)
                    .maxSendWr(options.sendQueueSize()).maxRecvWr(receiveCount).maxSendSge(1).maxRecvSge(1)
                    .maxInlineData(options.inlineSize()).build());
            memory = madeMemory;
            cq = madeCq;
            qp = madeQp;
            inlineSize = Math.min(options.inlineSize(), madeQp.capabilities().maxInlineData());
            receives = chain(RECEIVE_BATCH);
            for (int i = 0; i < receiveCount; i++) {
                qp.postReceive(receive);
            }
            isMade = true;
        } finally {
            if (!isMade) {
                if (madeQp != null) {
                    id.destroyQueuePair();
                }
                if (madeCq != null) {
                    madeCq.close();
                }
                if (madeMemory != null) {
                    madeMemory.close();
                }
                pd.close();
            }
        }
    }

    private static ReceiveWorkRequest chain(int count) {
        ReceiveWorkRequest head = null;
        for (int i = 0; i < count; i++) {
            head = ReceiveWorkRequest.create(0).wrId(RECEIVE).next(head);
        }
        return head;
    }

    ProtectionDomain pd() {
        return pd;
    }

    StreamMemory memory() {
        return memory;
    }

    CompletionQueue cq() {
        return cq;
    }

    QueuePair qp() {
        return qp;
    }

    /**
     * Posts a data message.
     *
     * @return 0, or an errno
     */
    int postData(int offset, int length, long address, int key, long number, boolean signaled) {
        data.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(StreamMessage.of(StreamMessage.DATA, length));
        return post(offset, length, address, key, number, signaled);
    }

    /**
     * Posts the message that an entry of the target iomap of the peer is written.
     *
     * @return 0, or an errno
     */
    int postIomap(int offset, long address, int key, int index, long number) {
        data.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(StreamMessage.of(StreamMessage.IOMAP, index));
        return post(offset, IomapEntry.BYTES, address, key, number, true);
    }

    /**
     * Posts a write to a buffer that the peer has mapped, of which it gets no message.
     *
     * @return 0, or an errno
     */
    int postWrite(int offset, int length, long address, int key, long number, boolean signaled) {
        data.opcode(WrOpcode.RDMA_WRITE);
        return post(offset, length, address, key, number, signaled);
    }

    private int post(int offset, int length, long address, int key, long number, boolean signaled) {
        data.wrId(number).remote(address, key).sge(memory.send(), offset, length)
                .flags((signaled ? SendFlags.SIGNALED : 0) | (length <= inlineSize ? SendFlags.INLINE : 0));
        return qp.tryPostSend(data);
    }

    /** Posts a message without payload. */
    void postControl(int message) {
        control.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(message).wrId(CONTROL | Integer.toUnsignedLong(message))
                .remote(0, 0).sgeCount(0).flags(SendFlags.SIGNALED);
        qp.postSend(control);
    }

    /**
     * Posts an SGL message with an entry of the target SGL of the peer: a part of the receive buffer.
     *
     * @param peer the byte order of the peer
     */
    void postEntry(int message, int index, int from, int length, long address, int key, ByteOrder peer) {
        int at = memory.controlOffset(index);
        int order = peer == ByteOrder.LITTLE_ENDIAN ? 0 : 1;
        MemorySegment segment = memory.sendSegment();
        segment.set(LONGS[order], at, memory.receiveAddress(from));
        segment.set(INTS[order], at + RemoteSge.KEY, memory.receiveKey());
        segment.set(INTS[order], at + RemoteSge.LENGTH, length);
        control.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(message).wrId(CONTROL | Integer.toUnsignedLong(message))
                .remote(address, key).sge(memory.send(), at, RemoteSge.BYTES)
                .flags(SendFlags.SIGNALED | (RemoteSge.BYTES <= inlineSize ? SendFlags.INLINE : 0));
        qp.postSend(control);
    }

    /** Posts a write of no bytes, which the device of the peer acknowledges. */
    void postKeepAlive() {
        control.opcode(WrOpcode.RDMA_WRITE).wrId(KEEP_ALIVE).remote(0, 0).sgeCount(0).flags(SendFlags.SIGNALED);
        qp.postSend(control);
    }

    /** Notes that a receive has completed, and posts receives if there is a batch. */
    void received() {
        toPost++;
        if (toPost == RECEIVE_BATCH) {
            qp.postReceive(receives);
            toPost = 0;
        }
    }

    /** Destroys the objects. After a failure, the next call does what is left. */
    void close(CmId id) {
        id.destroyQueuePair();
        try {
            cq.close();
        } finally {
            memory.close();
        }
        pd.close();
    }
}
