package io.jverbs.soft.nio.contract;

import java.nio.ByteBuffer;

/** The kinds of buffers. */
public enum BufferKind {
    HEAP, DIRECT, HEAP_SLICE, DIRECT_SLICE, HEAP_AT_OFFSET, DIRECT_AT_OFFSET;

    /** How many bytes the buffer that a slice is of has before and behind it. */
    private static final int MARGIN = 7;

    /** Returns a buffer with a number of bytes between its position and its limit. */
    public ByteBuffer allocate(int length) {
        return switch (this) {
            case HEAP -> ByteBuffer.allocate(length);
            case DIRECT -> ByteBuffer.allocateDirect(length);
            case HEAP_SLICE -> ByteBuffer.allocate(length + 2 * MARGIN).slice(MARGIN, length);
            case DIRECT_SLICE -> ByteBuffer.allocateDirect(length + 2 * MARGIN).slice(MARGIN, length);
            case HEAP_AT_OFFSET -> ByteBuffer.allocate(length + 2 * MARGIN).position(MARGIN).limit(MARGIN + length);
            case DIRECT_AT_OFFSET ->
                ByteBuffer.allocateDirect(length + 2 * MARGIN).position(MARGIN).limit(MARGIN + length);
        };
    }

    /** Returns a buffer with bytes between its position and its limit. */
    public ByteBuffer of(byte[] bytes) {
        ByteBuffer buffer = allocate(bytes.length);
        buffer.put(buffer.position(), bytes);
        return buffer;
    }
}
