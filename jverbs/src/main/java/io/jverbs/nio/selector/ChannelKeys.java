package io.jverbs.nio.selector;

import java.nio.channels.SelectableChannel;
import java.util.Arrays;

/** The keys of a channel; run as a notification, tells their selectors that something may be ready. Thread-safe. */
public final class ChannelKeys implements Runnable {
    private static final RdmaSelectionKey[] NONE = {};

    /** Replaced by each change. */
    private volatile RdmaSelectionKey[] keys = NONE;

    /** Creates the keys of a channel that is not registered. */
    public ChannelKeys() {}

    synchronized void add(RdmaSelectionKey key) {
        RdmaSelectionKey[] more = Arrays.copyOf(keys, keys.length + 1);
        more[keys.length] = key;
        keys = more;
    }

    synchronized void remove(RdmaSelectionKey key) {
        keys = Arrays.stream(keys).filter(each -> each != key).toArray(RdmaSelectionKey[]::new);
    }

    /** Returns the interest of all keys. */
    int interest() {
        int ops = 0;
        for (RdmaSelectionKey each : keys) {
            ops |= each.interest();
        }
        return ops;
    }

    @Override
    public void run() {
        for (RdmaSelectionKey each : keys) {
            each.selector().mayBeReady(each);
        }
    }

    /**
     * Adds the operations of a channel of the JDK to those of the keys.
     *
     * @param jdk the channel
     */
    public void use(SelectableChannel jdk) {
        for (RdmaSelectionKey each : keys) {
            each.selector().use(each, jdk);
        }
    }

    /** Cancels the JDK's keys of those that are cancelled: the channel may block from now on. */
    public void cancelStale() {
        for (RdmaSelectionKey each : keys) {
            if (!each.isValid()) {
                each.cancelJdkKey();
            }
        }
    }
}
