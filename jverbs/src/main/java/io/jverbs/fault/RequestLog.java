package io.jverbs.fault;

import java.util.Arrays;

/**
 * The posted requests of one queue that have no completion taken from the device yet, oldest first, in a ring buffer.
 * Guarded by the lock of the context.
 */
final class RequestLog {
    private static final int FIRST_CAPACITY = 16;

    private long[] wrIds = new long[FIRST_CAPACITY];
    private boolean[] signaled = new boolean[FIRST_CAPACITY];
    private int first;
    private int size;
    /**
     * How many entries of the queue are occupied until the program polls completions that are pending in this layer.
     */
    private int waiting;

    int size() {
        return size;
    }

    /**
     * Records a pending completion. Until the program polls it, its request and the unsignaled requests before it
     * occupy entries of the queue.
     *
     * @param entries how many requests {@link #completed} has removed
     */
    void completionWaits(int entries) {
        waiting += entries;
    }

    /** Records that the program has polled a pending completion that {@link #completionWaits} has recorded. */
    void completionDelivered(int entries) {
        waiting -= entries;
    }

    /**
     * How many more requests a queue with a capacity accepts. If no completion that is pending in this layer occupies
     * entries, only the device limits it.
     */
    int room(int capacity) {
        return waiting == 0 ? Integer.MAX_VALUE : Math.max(0, capacity - size - waiting);
    }

    /**
     * Stores a request behind the recorded ones, before it is posted: later there may be no memory left.
     *
     * @param index how many requests were stored since the last call of {@link #add}
     * @param completes whether the request generates a completion if it succeeds
     */
    void prepare(int index, long wrId, boolean completes) {
        if (size + index == wrIds.length) {
            grow();
        }
        int at = first + size + index & wrIds.length - 1;
        wrIds[at] = wrId;
        signaled[at] = completes;
    }

    /**
     * Adds the first stored requests, which the device has accepted. If the queue is full, the oldest unsignaled
     * requests are removed: the device has accepted another request, so they must have completed. Throws nothing.
     */
    void add(int count, int capacity) {
        for (int i = 0; i < count; i++) {
            while (size >= capacity && size > 0 && !signaled[first]) {
                drop();
            }
            size++;
        }
    }

    private void grow() {
        int length = wrIds.length;
        long[] moreIds = Arrays.copyOf(wrIds, 2 * length);
        boolean[] moreSignaled = Arrays.copyOf(signaled, 2 * length);
        // entries before the oldest one move behind the latest one
        System.arraycopy(wrIds, 0, moreIds, length, first);
        System.arraycopy(signaled, 0, moreSignaled, length, first);
        wrIds = moreIds;
        signaled = moreSignaled;
    }

    private void drop() {
        first = first + 1 & wrIds.length - 1;
        size--;
    }

    /** Removes the oldest request that generates a completion, and those before it; returns their number. */
    int completed() {
        int before = size;
        boolean done = false;
        while (size > 0 && !done) {
            done = signaled[first];
            drop();
        }
        return before - size;
    }

    /** Removes the oldest request with a wrId, and those before it; returns their number, 0 if there is none. */
    int completed(long wrId) {
        int before = size;
        if (contains(wrId)) {
            boolean done = false;
            while (!done) {
                done = takeOldest() == wrId;
            }
        }
        return before - size;
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

    long oldest() {
        return wrIds[first];
    }

    /** Removes the oldest request and returns its wrId. */
    long takeOldest() {
        long wrId = wrIds[first];
        drop();
        return wrId;
    }
}
