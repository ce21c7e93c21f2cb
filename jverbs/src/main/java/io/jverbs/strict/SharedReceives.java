package io.jverbs.strict;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The receives of a shared receive queue. They are taken in order, but completions of several queue pairs come in any. */
final class SharedReceives {
    private final ReceiveCount count = new ReceiveCount(true);
    /** Of those that have not completed as far as the program knows, by name; of one name, the oldest first. */
    private final Map<Long, Deque<Sinks>> sinks = new HashMap<>();

    /** How many there are for messages. */
    ReceiveCount count() {
        return count;
    }

    synchronized void posted(long wrId, Sinks to) {
        sinks.computeIfAbsent(wrId, name -> new ArrayDeque<>()).add(to);
    }

    synchronized void completed(long wrId) {
        Deque<Sinks> named = sinks.get(wrId);
        if (named != null) {
            named.remove().end();
            if (named.isEmpty()) {
                sinks.remove(wrId);
            }
        }
    }

    /** The queue is gone. */
    synchronized void end() {
        sinks.values().forEach(named -> named.forEach(Sinks::end));
        sinks.clear();
    }
}
