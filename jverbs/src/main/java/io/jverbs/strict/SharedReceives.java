package io.jverbs.strict;

import io.jverbs.QpType;
import io.jverbs.strict.tracking.WritableRanges;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The receive requests of a shared receive queue. Messages take them in order, but the completions of different queue
 * pairs arrive in any order. Thread-safe.
 */
final class SharedReceives {
    /** An upper bound of the outstanding requests: more than a queue and its completion queues hold. */
    private static final int MAX_TRACKED = 1 << 18;

    private final ReceiveCount count = new ReceiveCount(true);
    private final int capacity;
    /** The requests whose completions have not been polled, by wrId; those with the same wrId oldest first. */
    private final Map<Long, Deque<Receive>> receives = new LinkedHashMap<>();
    private int size;
    /** How many queue pairs use the queue. */
    private int users;
    private int datagramUsers;

    private record Receive(WritableRanges sinks, GrhSpaceCheck.ShortReceive tooShort) {}

    /**
     * Starts empty.
     *
     * @param capacity the maximum number of receive requests
     */
    SharedReceives(int capacity) {
        this.capacity = capacity;
    }

    /** The receive requests that are left for messages. */
    ReceiveCount count() {
        return count;
    }

    int capacity() {
        return capacity;
    }

    /** Records a queue pair that uses the queue. */
    synchronized void joined(QpType type) {
        users++;
        datagramUsers += type == QpType.UD ? 1 : 0;
    }

    /** Records that a queue pair that used the queue was destroyed. */
    synchronized void left(QpType type) {
        users--;
        datagramUsers -= type == QpType.UD ? 1 : 0;
    }

    /** Whether queue pairs use the queue and all of them are UD. */
    synchronized boolean isOfDatagrams() {
        return users > 0 && users == datagramUsers;
    }

    /**
     * Records a posted receive request.
     *
     * @param tooShort set if it is too short for any datagram, else null
     */
    synchronized void posted(long wrId, WritableRanges to, GrhSpaceCheck.ShortReceive tooShort) {
        receives.computeIfAbsent(wrId, name -> new ArrayDeque<>()).add(new Receive(to, tooShort));
        if (++size > MAX_TRACKED) {
            // a queue pair took it and was destroyed: it never completes
            completed(receives.keySet().iterator().next());
        }
    }

    /** Records a completed request; returns its details if it is too short for any datagram, else null. */
    synchronized GrhSpaceCheck.ShortReceive completed(long wrId) {
        Deque<Receive> named = receives.get(wrId);
        if (named == null) {
            return null;
        }
        size--;
        Receive receive = named.remove();
        receive.sinks().end();
        if (named.isEmpty()) {
            receives.remove(wrId);
        }
        return receive.tooShort();
    }

    /** Records that the queue was destroyed. */
    synchronized void end() {
        receives.values().forEach(named -> named.forEach(receive -> receive.sinks().end()));
        receives.clear();
        size = 0;
    }
}
