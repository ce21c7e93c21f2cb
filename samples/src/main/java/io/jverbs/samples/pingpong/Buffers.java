package io.jverbs.samples.pingpong;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.samples.SampleFailure;
import java.lang.foreign.MemorySegment;

/** Registered memory: a number of equal places for messages, each of them, if need be, with headroom before the message. */
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
            throw new SampleFailure("there is not enough memory for " + count + " messages of " + size
                    + " bytes: choose a smaller --size or --rx-depth.");
        }
        messages = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            messages[i] = region.segment().asSlice(i * stride + headroom, size);
        }
    }

    /** {@return the memory of a message, without headroom} */
    MemorySegment message(int place) {
        return messages[place];
    }

    /** Makes a request send what lies in a place. */
    void aim(SendWorkRequest request, int place) {
        request.sge(region, place * stride + headroom, size);
    }

    /** Makes a request receive into a place. */
    void aim(ReceiveWorkRequest request, int place) {
        request.sge(region, place * stride, headroom + size);
    }
}
