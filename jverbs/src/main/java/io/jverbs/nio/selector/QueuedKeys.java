package io.jverbs.nio.selector;

import java.util.concurrent.atomic.AtomicReference;

/** The keys that the next selection must check: a list to which all threads add, and which one takes. Thread-safe. */
final class QueuedKeys {
    private final AtomicReference<RdmaSelectionKey> first = new AtomicReference<>();

    /** Adds a key, unless it is in the list. */
    void add(RdmaSelectionKey key) {
        if (!key.queue()) {
            return;
        }
        boolean isAdded = false;
        try {
            RdmaSelectionKey present;
            do {
                present = first.get();
                key.next(present);
            } while (!first.compareAndSet(present, key));
            isAdded = true;
        } finally {
            if (!isAdded) {
                key.unqueue();
            }
        }
    }

    boolean isEmpty() {
        return first.get() == null;
    }

    /** Takes the whole list; the caller calls {@link RdmaSelectionKey#unqueue} for each, after it has read the next. */
    RdmaSelectionKey takeAll() {
        return first.get() == null ? null : first.getAndSet(null);
    }
}
