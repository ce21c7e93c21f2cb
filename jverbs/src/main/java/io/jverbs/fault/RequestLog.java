package io.jverbs.fault;

import java.util.Arrays;

/** Requests of one queue that were posted and have not completed as far as the program knows, oldest first. */
final class RequestLog {
    private static final int FIRST_CAPACITY = 16;

    private long[] wrIds = new long[FIRST_CAPACITY];
    private boolean[] signaled = new boolean[FIRST_CAPACITY];
    private int first;
    private int size;
    private int waiting;

    int size() {
        return size;
    }

    /** A completion of one waits here for the program: until it has it, the request keeps its place in the queue. */
    void waits() {
        waiting++;
    }

    /** The program has such a completion. */
    void delivered() {
        waiting--;
    }

    /** How many more requests a queue takes that holds so many; no limit but the device's if no completion waits here. */
    int room(int capacity) {
        return waiting == 0 ? Integer.MAX_VALUE : Math.max(0, capacity - size - waiting);
    }

    /** Adds a request. Of a queue that holds so many, those that never complete visibly have made room by now. */
    void add(long wrId, boolean completes, int capacity) {
        while (size >= capacity && size > 0 && !signaled[first]) {
            drop();
        }
        if (size == wrIds.length) {
            grow();
        }
        int at = first + size++ & wrIds.length - 1;
        wrIds[at] = wrId;
        signaled[at] = completes;
    }

    private void grow() {
        int length = wrIds.length;
        long[] moreIds = Arrays.copyOf(wrIds, 2 * length);
        boolean[] moreSignaled = Arrays.copyOf(signaled, 2 * length);
        // what lies before the oldest moves behind the youngest
        System.arraycopy(wrIds, 0, moreIds, length, first);
        System.arraycopy(signaled, 0, moreSignaled, length, first);
        wrIds = moreIds;
        signaled = moreSignaled;
    }

    private void drop() {
        first = first + 1 & wrIds.length - 1;
        size--;
    }

    /** Takes the oldest request that completes visibly, and those before it. */
    void completed() {
        boolean done = false;
        while (size > 0 && !done) {
            done = signaled[first];
            drop();
        }
    }

    /** Takes the oldest request of a name and those before it; nothing if there is none. */
    void completed(long wrId) {
        if (contains(wrId)) {
            boolean done = false;
            while (!done) {
                done = takeOldest() == wrId;
            }
        }
    }

    boolean contains(long wrId) {
        for (int i = 0; i < size; i++) {
            if (wrIds[first + i & wrIds.length - 1] == wrId) {
                return true;
            }
        }
        return false;
    }

    boolean isOldest(long wrId) {
        return size > 0 && wrIds[first] == wrId;
    }

    /** Takes the oldest request and returns its name. */
    long takeOldest() {
        long wrId = wrIds[first];
        drop();
        return wrId;
    }
}
