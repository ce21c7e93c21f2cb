package io.jverbs.samples.rdmacm;

import io.jverbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The address, rkey and length of a buffer, as rping's {@code struct rping_rdma_info} sends them.
 *
 * @param address the address of the first byte
 * @param rkey the remote key
 * @param length the length in bytes
 */
record RemoteBuffer(long address, int rkey, int length) {
    /** The length of the message. */
    static final int BYTES = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Describes a part of a region. */
    static RemoteBuffer of(MemoryRegion region, long offset, int length) {
        return new RemoteBuffer(region.address() + offset, region.rkey(), length);
    }

    static RemoteBuffer read(MemorySegment message) {
        return new RemoteBuffer(message.get(LONG, 0), message.get(INT, Long.BYTES),
                message.get(INT, Long.BYTES + Integer.BYTES));
    }

    void write(MemorySegment message) {
        message.set(LONG, 0, address);
        message.set(INT, Long.BYTES, rkey);
        message.set(INT, Long.BYTES + Integer.BYTES, length);
    }
}
