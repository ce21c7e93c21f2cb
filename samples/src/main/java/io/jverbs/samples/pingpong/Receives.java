package io.jverbs.samples.pingpong;

import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import java.util.function.Consumer;

/**
 * Keeps receives posted. A single queue pair has at most one message in flight, so all its receives use the same slot,
 * as in the C programs. Several queue pairs that share a receive queue would overwrite each other's messages: there,
 * each receive has a slot of its own, which is not posted again before it is released. Not thread-safe.
 */
final class Receives {
    private final Buffers buffers;
    private final Consumer<ReceiveWorkRequest> queue;
    private final ReceiveWorkRequest[] requests;
    private final int depth;
    private final int low;
    /** The slots that are neither posted nor in use; not maintained if there is a single slot. */
    private final int[] free;
    private int freeCount;
    private int posted;

    /**
     * Creates the receives without posting them.
     *
     * @param pd the protection domain of the memory
     * @param settings the options
     * @param headroom the number of bytes before the message in a slot
     * @param queue posts a request
     */
    Receives(ProtectionDomain pd, Settings settings, int headroom, Consumer<ReceiveWorkRequest> queue) {
        this.queue = queue;
        this.depth = settings.receiveDepth();
        this.low = settings.queuePairs();
        // A queue pair holds at most two slots: that of the message being returned, and that of the next one.
        int slots = settings.queuePairs() == 1 ? 1 : depth + 2 * settings.queuePairs();
        this.buffers = new Buffers(pd, slots, headroom, settings.size());
        this.requests = new ReceiveWorkRequest[slots];
        this.free = new int[slots];
        for (int slot = 0; slot < slots; slot++) {
            requests[slot] = ReceiveWorkRequest.create(1).wrId(WrIds.receive(slot));
            buffers.setElement(requests[slot], slot);
            release(slot);
        }
    }

    /** {@return the buffers of the received messages} */
    Buffers buffers() {
        return buffers;
    }

    /** Posts receives until {@code --rx-depth} of them are posted. */
    void fill() {
        while (posted < depth) {
            queue.accept(requests[requests.length == 1 ? 0 : free[--freeCount]]);
            posted++;
        }
    }

    /** Counts a consumed receive, and posts more if few are left. */
    void consumed() {
        posted--;
        if (posted <= low) {
            fill();
        }
    }

    /** Frees the slot of a message that is no longer needed. */
    void release(int slot) {
        if (requests.length > 1) {
            free[freeCount++] = slot;
        }
    }
}
