package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory for one packet, or for several that are looked at one by one, in the two forms that its users want: a segment for headers and payload, a buffer for checksum
 * and channel. Not thread-safe.
 */
public final class PacketBuffer {
    /** The greatest path MTU. */
    public static final int MAX_PAYLOAD = 4096;
    /** The longest packet: a WRITE with immediate data. */
    public static final int MAX_BYTES = Bth.BYTES + Reth.BYTES + ImmDt.BYTES + MAX_PAYLOAD + Icrc.BYTES;

    private final MemorySegment segment;
    private final ByteBuffer bytes;
    private int start;

    /**
     * Views memory as room for a packet. An arena that is never closed, or by the collector only, is best: of others a
     * count is taken at each checksum and each send.
     *
     * @param memory native, writable and at least {@link #MAX_BYTES} long, a byte more if longer packets are to be told
     *            from cut ones
     * @throws IllegalArgumentException if it is not
     */
    public PacketBuffer(MemorySegment memory) {
        if (!memory.isNative() || memory.isReadOnly() || memory.byteSize() < MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a packet needs native, writable memory of " + MAX_BYTES + " bytes, not " + memory);
        }
        segment = memory;
        bytes = memory.asByteBuffer();
    }

    /** {@return where in the memory the packet begins} */
    public int start() {
        return start;
    }

    /**
     * Looks at another packet in the same memory.
     *
     * @param offset where it begins, not negative
     */
    public void start(int offset) {
        start = offset;
    }

    /** {@return the memory, of which the packet is a part} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the memory again; whoever uses it sets position and limit first} */
    public ByteBuffer bytes() {
        return bytes;
    }
}
