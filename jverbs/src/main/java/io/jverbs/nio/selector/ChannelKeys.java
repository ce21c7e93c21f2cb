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
        int index = Arrays.asList(keys).indexOf(key);
        if (index >= 0) {
            RdmaSelectionKey[] fewer = Arrays.copyOf(keys, keys.length - 1);
            System.arraycopy(keys, index + 1, fewer, index, fewer.length - index);
            keys = fewer;
        }
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
        notifyFrom(keys, 0);
    }

    /** Notifies the keys from an index on, the rest also after an Error. */
    private static void notifyFrom(RdmaSelectionKey[] all, int index) {
        if (index < all.length) {
            try {
                all[index].selector().mayBeReady(all[index]);
            } finally {
                notifyFrom(all, index + 1);
            }
        }
    }

    /**
     * Adds the operations of a channel of the JDK to those of the keys.
     *
     * @param jdk the channel
     */
    public void use(SelectableChannel jdk) {
        useFrom(keys, 0, jdk);
    }

    /** Adds the operations to the keys from an index on, the rest also if that fails. */
    private static void useFrom(RdmaSelectionKey[] all, int index, SelectableChannel jdk) {
        if (index < all.length) {
            try {
                all[index].selector().use(all[index], jdk);
            } finally {
                useFrom(all, index + 1, jdk);
            }
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
