package io.jverbs.nio.selector;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The registration of a channel with a selector. It has a key of the JDK's selector in addition if the channel is one
 * of the JDK, or uses one. Thread-safe, apart from what belongs to the thread that selects.
 */
final class RdmaSelectionKey extends AbstractSelectionKey {
    private final RdmaSelector selector;
    private final SelectableChannel channel;
    /** The channel if it is of this provider, or null. */
    private final RdmaChannel rdma;
    private final AtomicInteger interest = new AtomicInteger();
    private volatile int readyOps;
    /** The key of the JDK's selector, null if there is none yet; changed with the monitor of this key. */
    private volatile SelectionKey jdkKey;
    /** Whether this key is in the list of keys to check. */
    private final AtomicBoolean queued = new AtomicBoolean();
    /** The next key of that list. */
    private RdmaSelectionKey next;
    /** The index among the keys that are polled, or -1; of the thread that selects, as are the two below. */
    private int polledIndex = -1;
    /** In how many selections this key was polled and not ready. */
    private int idleSelections;
    /** The latest selection that has counted this key. */
    private long countedIn;
    /** The index among the selected keys, or -1; guarded by the monitor of that set. */
    private int selectedIndex = -1;

    RdmaSelectionKey(RdmaSelector selector, SelectableChannel channel) {
        this.selector = selector;
        this.channel = channel;
        this.rdma = channel instanceof RdmaChannel own ? own : null;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public RdmaSelector selector() {
        return selector;
    }

    /** Returns the channel if it is of this provider, or null. */
    RdmaChannel rdma() {
        return rdma;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    private void requireOps(int ops) {
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException("operations " + ops + " are not among those of the channel, "
                    + channel.validOps());
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest.get();
    }

    /** Returns the interest also of a key that is cancelled. */
    int interest() {
        return interest.get();
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        requireOps(ops);
        int before = interest.getAndSet(ops);
        if (ops != before) {
            changed(before, ops);
        }
        return this;
    }

    @Override
    public int interestOpsOr(int ops) {
        requireValid();
        requireOps(ops);
        int before;
        do {
            before = interest.get();
        } while (!interest.compareAndSet(before, before | ops));
        if ((before | ops) != before) {
            changed(before, before | ops);
        }
        return before;
    }

    @Override
    public int interestOpsAnd(int ops) {
        requireValid();
        int before;
        do {
            before = interest.get();
        } while (!interest.compareAndSet(before, before & ops));
        if ((before & ops) != before) {
            changed(before, before & ops);
        }
        return before;
    }

    /** Makes the next selection take the interest; after an Error, the interest is the one before. */
    private void changed(int before, int after) {
        boolean isDone = false;
        try {
            if (rdma != null) {
                selector.interestChanged(this);
            }
            SelectionKey jdk = jdkKey;
            if (jdk != null) {
                applyInterest(jdk);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                interest.compareAndSet(after, before);
            }
        }
    }

    /** Sets the interest of a key of the JDK's selector to that of this key. */
    synchronized void applyInterest(SelectionKey jdk) {
        try {
            jdk.interestOps(interest.get());
        } catch (CancelledKeyException e) {
            // the channel is closed, or this key is cancelled
        }
    }

    @Override
    public int readyOps() {
        requireValid();
        return readyOps;
    }

    /** Returns the operations that were ready also of a key that is cancelled. */
    int ready() {
        return readyOps;
    }

    void ready(int ops) {
        readyOps = ops;
    }

    /** Sets the first interest; the channel has checked it. */
    void initial(int ops, Object attachment) {
        interest.set(ops);
        attach(attachment);
    }

    /** Registers a channel of the JDK with the JDK's selector; returns whether it was not before. */
    synchronized boolean use(SelectableChannel jdk, Selector with) {
        if (jdkKey != null || !isValid()) {
            return false;
        }
        try {
            SelectionKey made = jdk.register(with, interest.get(), this);
            jdkKey = made;
            // a thread that has changed the interest meanwhile may not have seen that key
            applyInterest(made);
            return true;
        } catch (ClosedChannelException e) {
            // the channel is closed, and so this key is cancelled
            return false;
        }
    }

    /** Cancels the key of the JDK's selector; returns whether there is one. */
    synchronized boolean cancelJdkKey() {
        SelectionKey jdk = jdkKey;
        if (jdk != null) {
            jdk.cancel();
        }
        return jdk != null;
    }

    // ---- the list of keys to check

    /** Marks this key as queued; returns false if it is already. */
    boolean queue() {
        return !queued.get() && queued.compareAndSet(false, true);
    }

    void unqueue() {
        queued.set(false);
    }

    RdmaSelectionKey next() {
        return next;
    }

    void next(RdmaSelectionKey key) {
        next = key;
    }

    // ---- of the thread that selects

    int polledIndex() {
        return polledIndex;
    }

    void polledIndex(int index) {
        polledIndex = index;
    }

    int idleSelections() {
        return idleSelections;
    }

    void idleSelections(int count) {
        idleSelections = count;
    }

    /** Counts this key in a selection; returns false if it was counted before. */
    boolean count(long selection) {
        boolean isFirst = countedIn != selection;
        countedIn = selection;
        return isFirst;
    }

    int selectedIndex() {
        return selectedIndex;
    }

    void selectedIndex(int index) {
        selectedIndex = index;
    }

    @Override
    public String toString() {
        return "channel=" + channel + ", selector=" + selector
                + (isValid() ? ", interestOps=" + interest.get() + ", readyOps=" + readyOps : ", invalid");
    }
}
