package io.jverbs.soft.congestion;

/**
 * The connections that wait for room in a {@link PathWindow}, in FIFO order. This is a linked list of the shares
 * themselves: a share is removed in constant time, and waiting allocates no memory. Guarded by the window's lock.
 */
final class PathWindowWaiters {
    private PathWindow.Share first;
    private PathWindow.Share last;
    private int size;

    PathWindow.Share peekFirst() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    int size() {
        return size;
    }

    /** Adds a share that is not in the list. */
    void addLast(PathWindow.Share share) {
        share.before = last;
        share.after = null;
        if (last == null) {
            first = share;
        } else {
            last.after = share;
        }
        last = share;
        size++;
    }

    /** Removes a share that is in the list. */
    void remove(PathWindow.Share share) {
        if (share.before == null) {
            first = share.after;
        } else {
            share.before.after = share.after;
        }
        if (share.after == null) {
            last = share.before;
        } else {
            share.after.before = share.before;
        }
        share.before = null;
        share.after = null;
        size--;
    }
}
