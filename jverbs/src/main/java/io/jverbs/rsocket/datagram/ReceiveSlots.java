package io.jverbs.rsocket.datagram;

import java.util.Arrays;

/**
 * The receive slots of a queue pair: those of messages that have arrived, in their order, and those for which no
 * receive is posted. The lock of the socket guards it.
 */
final class ReceiveSlots {
    private final int[] arrived;
    private final int[] lengths;
    private final int[] idle;
    private int first;
    private int arrivedCount;
    private int idleCount;

    /** Creates slots, all of them without a receive. */
    ReceiveSlots(int count) {
        arrived = new int[count];
        lengths = new int[count];
        idle = new int[count];
        Arrays.setAll(idle, slot -> count - 1 - slot);
        idleCount = count;
    }

    /** Returns how many messages have arrived and were not taken. */
    int arrivedCount() {
        return arrivedCount;
    }

    /** Adds a message; there is room, since each slot has at most one. */
    void arrived(int slot, int length) {
        int at = (first + arrivedCount) % arrived.length;
        arrived[at] = slot;
        lengths[at] = length;
        arrivedCount++;
    }

    /** Returns the slot of the first message; there is one. */
    int firstSlot() {
        return arrived[first];
    }

    /** Returns the number of bytes of the first message. */
    int firstLength() {
        return lengths[first];
    }

    /** Removes the first message; its slot has no receive then. */
    void removeFirst() {
        release(arrived[first]);
        first = (first + 1) % arrived.length;
        arrivedCount--;
    }

    /** Notes a slot whose receive has completed without a message. */
    void release(int slot) {
        idle[idleCount] = slot;
        idleCount++;
    }

    /** Returns how many slots have no receive and no message. */
    int idleCount() {
        return idleCount;
    }

    /** Returns the slot for which a receive is posted next; there is one. */
    int nextIdle() {
        return idle[idleCount - 1];
    }

    /** Notes that a receive was posted for that slot. */
    void posted() {
        idleCount--;
    }
}
