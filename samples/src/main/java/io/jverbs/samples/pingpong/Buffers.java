package io.jverbs.samples.pingpong;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.samples.console.SampleFailure;
import java.lang.foreign.MemorySegment;

/**
 * A memory region that is divided into slots of one message each. A slot may have headroom before the message, for the
 * GRH of a datagram.
 */
final class Buffers {
    private static final int ALIGNMENT = 64;

    private final MemoryRegion region;
    private final int headroom;
    private final int size;
    private final long stride;
    private final MemorySegment[] messages;

    Buffers(ProtectionDomain pd, int count, int headroom, int size) {
        this.headroom = headroom;
        this.size = size;
        this.stride = (headroom + (long) size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        try {
            region = pd.allocate(count * stride, Access.LOCAL_WRITE);
        } catch (OutOfMemoryError e) {
            throw new SampleFailure("not enough memory for " + count + " messages of " + size
                    + " bytes: choose a smaller --size or --rx-depth.");
        }
        messages = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            messages[i] = region.segment().asSlice(i * stride + headroom, size);
        }
    }

    /** {@return the memory of a slot's message, without headroom} */
    MemorySegment message(int slot) {
        return messages[slot];
    }

    /** Sets the element of a send request to the message in a slot. */
    void setElement(SendWorkRequest request, int slot) {
        request.sge(region, slot * stride + headroom, size);
    }

    /** Sets the element of a receive request to a slot, with its headroom. */
    void setElement(ReceiveWorkRequest request, int slot) {
        request.sge(region, slot * stride, headroom + size);
    }
}
