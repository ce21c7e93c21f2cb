package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The memory of one packet, or of several that are processed one by one, in two forms: a segment for headers and
 * payload, and a buffer for the checksum and the channel. Not thread-safe.
 */
public final class PacketBuffer {
    /** The maximum payload of a packet: the largest path MTU. */
    public static final int MAX_PAYLOAD = 4096;
    /** The maximum length of a packet: a WRITE with immediate data. */
    public static final int MAX_BYTES = Bth.BYTES + Reth.BYTES + ImmDt.BYTES + MAX_PAYLOAD + Icrc.BYTES;

    private final MemorySegment segment;
    private final ByteBuffer bytes;
    private int start;

    /**
     * Wraps memory. An arena that is never closed, or is closed only by the garbage collector, is best: for memory of
     * other arenas, each checksum and each send updates a reference count.
     *
     * @param memory native and writable memory of at least {@link #MAX_BYTES} bytes; one byte more, if packets that are
     *     too long are to be distinguished from truncated ones
     * @throws IllegalArgumentException if the memory is not native, not writable or too short
     */
    public PacketBuffer(MemorySegment memory) {
        if (!memory.isNative() || memory.isReadOnly() || memory.byteSize() < MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a packet buffer needs at least " + MAX_BYTES + " bytes of native, writable memory, not " + memory);
        }
        segment = memory;
        bytes = memory.asByteBuffer();
    }

    /** {@return the offset of the packet in the memory} */
    public int start() {
        return start;
    }

    /**
     * Selects another packet in the same memory.
     *
     * @param offset the offset of the packet, not negative
     */
    public void start(int offset) {
        start = offset;
    }

    /** {@return the memory that contains the packet} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the same memory as a buffer; the caller sets position and limit before use} */
    public ByteBuffer bytes() {
        return bytes;
    }
}
