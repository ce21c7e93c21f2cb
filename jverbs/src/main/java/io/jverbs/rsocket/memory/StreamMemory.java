package io.jverbs.rsocket.memory;

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
public final class StreamMemory {
    /** The number of bytes of a control message with its payload: an entry of a target SGL or iomap. */
    private static final int CONTROL_BYTES = 32;

    private final int sendBytes;
    private final int receiveBytes;
    private final int iomapSize;
    private final MemoryRegion send;
    private final MemoryRegion receive;
    private final MemoryRegion targets;
    private final ByteBuffer sendBuffer;
    private final ByteBuffer receiveBuffer;

    /**
     * Registers the memory.
     *
     * @param pd the protection domain
     * @param sendBytes the size of the send buffer in bytes
     * @param receiveBytes the size of the receive buffer in bytes
     * @param iomapSize the number of entries of the target iomap
     */
    public StreamMemory(ProtectionDomain pd, int sendBytes, int receiveBytes, int iomapSize) {
        this.sendBytes = sendBytes;
        this.receiveBytes = receiveBytes;
        this.iomapSize = iomapSize;
        MemoryRegion madeSend = null;
        MemoryRegion madeReceive = null;
        MemoryRegion madeTargets = null;
        boolean isMade = false;
        try {
            madeSend = pd.allocate(sendBytes + (long) CONTROL_BYTES * (ControlQueue.ENTRIES + 1), Access.LOCAL_WRITE);
            madeReceive = pd.allocate(receiveBytes, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            madeTargets = pd.allocate(TargetSgl.BYTES + (long) IomapEntry.BYTES * iomapSize,
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

    /** {@return the region of the send buffer, and of the payloads of control messages after it} */
    public MemoryRegion send() {
        return send;
    }

    /** {@return the bytes of {@link #send}} */
    public ByteBuffer sendBuffer() {
        return sendBuffer;
    }

    /** {@return the segment of {@link #send}} */
    public MemorySegment sendSegment() {
        return send.segment();
    }

    /** {@return the receive buffer} */
    public ByteBuffer receiveBuffer() {
        return receiveBuffer;
    }

    /** {@return the segment of the receive buffer} */
    public MemorySegment receiveSegment() {
        return receive.segment();
    }

    /** {@return the memory of the target SGL} */
    public MemorySegment targetSgl() {
        return targets.segment().asSlice(0, TargetSgl.BYTES);
    }

    /** Returns an entry of the target iomap, as the peer has written it. */
    IomapEntry iomapEntry(int index) {
        return IomapEntry.get(targets.segment()
                .asSlice(TargetSgl.BYTES + (long) index * IomapEntry.BYTES, IomapEntry.BYTES).asByteBuffer()
                .order(ByteOrder.nativeOrder()));
    }

    /**
     * {@return where the payload of a control message goes in the send region}
     *
     * @param index the index of the message in the control queue; the one after the last is for iomap messages
     */
    public int controlOffset(int index) {
        return sendBytes + index * CONTROL_BYTES;
    }

    /**
     * {@return the address of a byte of the receive buffer}
     *
     * @param offset its offset
     */
    public long receiveAddress(int offset) {
        return receive.address() + offset;
    }

    /** {@return the rkey of the receive buffer} */
    public int receiveKey() {
        return receive.rkey();
    }

    /**
     * {@return the connect data of this side}
     *
     * @param credits the number of data messages that this side can hold
     */
    public ConnectData connectData(int credits) {
        return new ConnectData(ConnectData.ownFlags(), credits, iomapSize,
                new RemoteSge(targets.address(), targets.rkey(), TargetSgl.ENTRIES),
                new RemoteSge(receive.address(), receive.rkey(), receiveBytes / 2));
    }

    /** Deregisters the memory. After a failure, the next call does what is left. */
    public void close() {
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
