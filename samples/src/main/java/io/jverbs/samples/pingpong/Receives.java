package io.jverbs.samples.pingpong;

import io.jverbs.ProtectionDomain;
import io.jverbs.ReceiveWorkRequest;
import java.util.function.Consumer;

/**
 * Keeps receives posted. A single queue pair has one message underway at most, so all its receives name the same place, as those
 * of the C programs do. Several queue pairs that share their receives would overwrite each other's messages: there, each receive
 * has a place of its own, which is not posted again before it is released. For one thread.
 */
final class Receives {
    private final Buffers buffers;
    private final Consumer<ReceiveWorkRequest> queue;
    private final ReceiveWorkRequest[] requests;
    private final int depth;
    private final int low;
    /** The places that are neither posted nor in use; not counted where there is a single one. */
    private final int[] free;
    private int freeCount;
    private int posted;

    /**
     * Prepares receives; none is posted.
     *
     * @param pd the protection domain of the memory
     * @param settings the options
     * @param headroom how many bytes there are before a message
     * @param queue takes the requests
     */
    Receives(ProtectionDomain pd, Settings settings, int headroom, Consumer<ReceiveWorkRequest> queue) {
        this.queue = queue;
        this.depth = settings.receiveDepth();
        this.low = settings.queuePairs();
        // A queue pair keeps two places at most: that of the message on its way back, and that of the next one.
        int places = settings.queuePairs() == 1 ? 1 : depth + 2 * settings.queuePairs();
        this.buffers = new Buffers(pd, places, headroom, settings.size());
        this.requests = new ReceiveWorkRequest[places];
        this.free = new int[places];
        for (int place = 0; place < places; place++) {
            requests[place] = ReceiveWorkRequest.create(1).wrId(WrIds.receive(place));
            buffers.aim(requests[place], place);
            release(place);
        }
    }

    /** {@return where the messages lie} */
    Buffers buffers() {
        return buffers;
    }

    /** Posts as many as there may be. */
    void fill() {
        while (posted < depth) {
            queue.accept(requests[requests.length == 1 ? 0 : free[--freeCount]]);
            posted++;
        }
    }

    /** Notes that one was used; if they become few, posts more. */
    void used() {
        posted--;
        if (posted <= low) {
            fill();
        }
    }

    /** Notes that a message is no longer needed. */
    void release(int place) {
        if (requests.length > 1) {
            free[freeCount++] = place;
        }
    }
}
