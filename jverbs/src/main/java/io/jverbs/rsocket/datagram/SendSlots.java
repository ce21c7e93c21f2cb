package io.jverbs.rsocket.datagram;

import java.util.Arrays;

/** Which send slots of a queue pair are in use, and for which destination. The lock of the socket guards it. */
final class SendSlots {
    /** What the slot of a request has whose destination is this side. */
    private static final Destination OWN = new Destination(null, null);

    private final int[] free;
    private final Destination[] used;
    private int freeCount;

    SendSlots(int count) {
        free = new int[count];
        used = new Destination[count];
        Arrays.setAll(free, slot -> count - 1 - slot);
        freeCount = count;
    }

    int freeCount() {
        return freeCount;
    }

    boolean areAllFree() {
        return freeCount == free.length;
    }

    /** Returns the slot that is used next; there is one. */
    int next() {
        return free[freeCount - 1];
    }

    /** Takes the next slot for a destination; null if that is this side. */
    void take(Destination to) {
        freeCount--;
        used[free[freeCount]] = to == null ? OWN : to;
        if (to != null) {
            to.sending();
        }
    }

    /** Frees a slot; has no effect on one that is free, whose request was not accepted. */
    void free(int slot) {
        Destination to = used[slot];
        if (to == null) {
            return;
        }
        used[slot] = null;
        free[freeCount] = slot;
        freeCount++;
        if (to != OWN) {
            to.sent();
        }
    }
}
