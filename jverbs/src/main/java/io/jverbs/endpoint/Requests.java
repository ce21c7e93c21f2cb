package io.jverbs.endpoint;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * The requests of a connection that have no reply yet. Entries are used again, so that a request allocates nothing. The
 * lock of the connection guards this object.
 */
final class Requests {
    private static final int INDEX_BITS = 16;
    private static final int MAX = 1 << INDEX_BITS;
    private static final int FIRST = 4;

    /** A request. */
    static final class Pending {
        private final int index;
        private long id;
        private Message reply;
        private CompletableFuture<Message> future;
        private boolean delivered;

        Pending(int index) {
            this.index = index;
        }

        long id() {
            return id;
        }

        Message reply() {
            return reply;
        }

        CompletableFuture<Message> future() {
            return future;
        }

        /** Completes the future with the reply; returns false if it is completed already, as by a cancellation. */
        boolean deliver(Message arrived) {
            delivered = future.complete(arrived);
            return delivered;
        }

        /** Returns whether the future was completed with the reply. */
        boolean isDelivered() {
            return delivered;
        }
    }

    private Pending[] all = {};
    private int[] free = {};
    private int freeCount;
    private long sequence;
    /** The requests with a future that have a reply, or never will. */
    private final ArrayDeque<Pending> completed = new ArrayDeque<>();

    /** Begins a request. */
    Pending begin(CompletableFuture<Message> future) {
        if (freeCount == 0) {
            grow();
        }
        Pending pending = all[free[--freeCount]];
        sequence++;
        pending.id = sequence << INDEX_BITS | pending.index;
        pending.future = future;
        return pending;
    }

    private void grow() {
        int before = all.length;
        if (before == MAX) {
            throw new IllegalStateException(MAX + " requests wait for a reply, which is the maximum");
        }
        Pending[] more = Arrays.copyOf(all, Math.max(FIRST, 2 * before));
        int[] moreFree = new int[more.length];
        for (int i = before; i < more.length; i++) {
            more[i] = new Pending(i);
            moreFree[more.length - 1 - i] = i;
        }
        all = more;
        free = moreFree;
        freeCount = more.length - before;
    }

    /** Stores a reply; returns its request, or null if nobody waits for it any more. */
    Pending reply(Message message, long id) {
        int index = (int) id & MAX - 1;
        if (index >= all.length || all[index].id != id || all[index].reply != null) {
            return null;
        }
        Pending pending = all[index];
        if (pending.future != null) {
            completed.add(pending);
        }
        // last: a request without a reply fails when the connection ends
        pending.reply = message;
        return pending;
    }

    /** Ends a request. */
    void end(Pending pending) {
        pending.id = 0;
        pending.reply = null;
        pending.future = null;
        pending.delivered = false;
        free[freeCount++] = pending.index;
    }

    /**
     * Ends a request that was not sent. Returns false if it is completed, which ends it, or has ended: the connection
     * may have ended while the sender waited.
     */
    boolean abandon(Pending pending, CompletableFuture<Message> future) {
        boolean isPresent = pending.future == future && !completed.contains(pending);
        if (isPresent) {
            end(pending);
        }
        return isPresent;
    }

    /** Makes all requests with a future that have no reply completed ones, because there will be none. */
    void failFutures() {
        for (Pending each : all) {
            if (each.id != 0 && each.future != null && each.reply == null) {
                each.id = 0;
                completed.add(each);
            }
        }
    }

    /** Returns a request with a future that is completed, or null. */
    Pending firstCompleted() {
        return completed.peek();
    }

    /** Ends what {@link #firstCompleted} has returned. */
    void endCompleted(Pending first) {
        completed.remove(first);
        end(first);
    }
}
