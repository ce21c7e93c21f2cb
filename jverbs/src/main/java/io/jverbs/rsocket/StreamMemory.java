package io.jverbs.rsocket;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ControlQueue;
import io.jverbs.rsocket.protocol.IomapEntry;
import io.jverbs.rsocket.protocol.RemoteSge;
import io.jverbs.rsocket.protocol.TargetSgl;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The registered memory of a stream: the send buffer, the receive buffer, and the target SGL with the target iomap. The
 * memory is new and zeroed for each stream, so that a peer that announces bytes it has not written shows nothing of
 * another stream. The peer can write the receive buffer and the targets, and read nothing.
 */
final class StreamMemory {
    /** The number of bytes of a control message with its payload: an entry of a target SGL or iomap. */
    static final int CONTROL_BYTES = 32;

    private final int sendBytes;
    private final MemoryRegion send;
    private final MemoryRegion receive;
    private final MemoryRegion targets;
    private final ByteBuffer sendBuffer;
    private final ByteBuffer receiveBuffer;

    StreamMemory(ProtectionDomain pd, RdmaStreamOptions options) {
        sendBytes = options.sendBufferSize();
        MemoryRegion madeSend = null;
        MemoryRegion madeReceive = null;
        MemoryRegion madeTargets = null;
        boolean isMade = false;
        try {
            madeSend = pd.allocate(sendBytes + (long) CONTROL_BYTES * (ControlQueue.ENTRIES + 1), Access.LOCAL_WRITE);
            madeReceive = pd.allocate(options.receiveBufferSize(), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            madeTargets = pd.allocate(TargetSgl.BYTES + (long) IomapEntry.BYTES * options.iomapSize(),
                    Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            send = madeSend;
            receive = madeReceive;
            targets = madeTargets;
            sendBuffer = madeSend.segment().asByteBuffer();
            receiveBuffer = madeReceive.segment().asByteBuffer();
            isMade = true;
        } finally {
            if (!isMade) {
                close(madeTargets);
                close(madeReceive);
                close(madeSend);
            }
        }
    }

    MemoryRegion send() {
        return send;
    }

    ByteBuffer sendBuffer() {
        return sendBuffer;
    }

    MemorySegment sendSegment() {
        return send.segment();
    }

    ByteBuffer receiveBuffer() {
        return receiveBuffer;
    }

    MemorySegment receiveSegment() {
        return receive.segment();
    }

    /** Returns the memory of the target SGL. */
    MemorySegment targetSgl() {
        return targets.segment().asSlice(0, TargetSgl.BYTES);
    }

    /** Returns an entry of the target iomap, as the peer has written it. */
    IomapEntry iomapEntry(int index) {
        return IomapEntry.get(targets.segment()
                .asSlice(TargetSgl.BYTES + (long) index * IomapEntry.BYTES, IomapEntry.BYTES).asByteBuffer()
                .order(ByteOrder.nativeOrder()));
    }

    /** Returns where the payload of a control message goes in the send region; the last one is for iomap messages. */
    int controlOffset(int index) {
        return sendBytes + index * CONTROL_BYTES;
    }

    /** Returns a part of the receive buffer, to publish. */
    RemoteSge published(int offset, int length) {
        return new RemoteSge(receive.address() + offset, receive.rkey(), length);
    }

    /** Returns the address of a byte of the receive buffer. */
    long receiveAddress(int offset) {
        return receive.address() + offset;
    }

    int receiveKey() {
        return receive.rkey();
    }

    /** Returns the connect data of this side. */
    ConnectData connectData(RdmaStreamOptions options) {
        return new ConnectData(ConnectData.ownFlags(), options.receiveQueueSize(), options.iomapSize(),
                new RemoteSge(targets.address(), targets.rkey(), TargetSgl.ENTRIES),
                published(0, options.receiveBufferSize() / 2));
    }

    /** Deregisters the memory. After a failure, the next call does what is left. */
    void close() {
        try {
            send.close();
        } finally {
            try {
                receive.close();
            } finally {
                targets.close();
            }
        }
    }

    private static void close(MemoryRegion region) {
        if (region != null) {
            region.close();
        }
    }
}
