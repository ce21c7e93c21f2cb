package io.jverbs.nio.selector;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Selects over channels of this provider and of the JDK. A channel on RDMA is polled while it is active; a selector
 * that blocks requests a notification of each first. So a selection costs as much as there are active channels.
 * Thread-safe.
 */
public final class RdmaSelector extends AbstractSelector {
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final SelectedKeys selected = new SelectedKeys(this);
    private final QueuedKeys queued = new QueuedKeys();
    private final JdkSelection jdk;
    private final SelectorWait wait;
    private final Selection selection;
    /** Whether the next selection returns at once. */
    private volatile boolean woken;
    /** Guarded by the monitor of this selector. */
    private boolean inSelection;

    /**
     * Opens a selector.
     *
     * @param provider the provider that opens it
     * @param jdk supplies the provider of the JDK when a channel of the JDK is registered first
     * @param spinNanos how long a selection polls before it blocks
     */
    public RdmaSelector(SelectorProvider provider, Supplier<SelectorProvider> jdk, long spinNanos) {
        super(provider);
        this.jdk = new JdkSelection(jdk);
        wait = new SelectorWait(this.jdk);
        selection = new Selection(this, selected, queued, this.jdk, wait, spinNanos);
    }

    void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    // ---- what keys and channels call

    /** Wakes the selector because an operation of a key may be ready. */
    void mayBeReady(RdmaSelectionKey key) {
        queued.add(key);
        wait.signal();
    }

    /** Notes that the interest of a key has changed, for the next selection. */
    void interestChanged(RdmaSelectionKey key) {
        queued.add(key);
    }

    /** Adds the operations of a channel of the JDK to those of a key, also for a selection in progress. */
    void use(RdmaSelectionKey key, SelectableChannel channel) {
        try {
            if (jdk.register(key, channel)) {
                wait.signal();
            }
        } catch (ClosedSelectorException e) {
            // the key is cancelled
        }
    }

    /** Returns whether a selection in progress must return. */
    boolean mustReturn() {
        return woken || !isOpen() || Thread.currentThread().isInterrupted();
    }

    // ---- Selector

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return selected;
    }

    @Override
    public int selectNow() throws IOException {
        return select(0, null);
    }

    @Override
    public int select(long timeout) throws IOException {
        return select(nanos(timeout), null);
    }

    @Override
    public int select() throws IOException {
        return select(SelectorWait.NO_LIMIT, null);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return select(0, Objects.requireNonNull(action, "action"));
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        Objects.requireNonNull(action, "action");
        return select(nanos(timeout), action);
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return select(SelectorWait.NO_LIMIT, Objects.requireNonNull(action, "action"));
    }

    private static long nanos(long millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("Negative timeout " + millis + " ms");
        }
        return millis == 0 ? SelectorWait.NO_LIMIT : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private int select(long nanos, Consumer<SelectionKey> action) throws IOException {
        synchronized (this) {
            requireOpen();
            if (inSelection) {
                throw new IllegalStateException("a selection of this selector is in progress");
            }
            inSelection = true;
            try {
                synchronized (selected) {
                    deregisterCancelled();
                    int count = selection.run(nanos, action);
                    deregisterCancelled();
                    return count;
                }
            } finally {
                woken = false;
                inSelection = false;
            }
        }
    }

    /** Returns whether keys are cancelled that are not removed yet. */
    boolean hasCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            return !cancelled.isEmpty();
        }
    }

    /** Removes the keys that are cancelled, those of the JDK's selector first; after a failure, the next call does. */
    private void deregisterCancelled() throws IOException {
        if (!hasCancelled()) {
            return;
        }
        SelectionKey[] all;
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            all = cancelled.toArray(SelectionKey[]::new);
        }
        boolean hasJdkKeys = false;
        for (SelectionKey each : all) {
            hasJdkKeys |= ((RdmaSelectionKey) each).cancelJdkKey();
        }
        if (hasJdkKeys) {
            jdk.deregister();
        }
        for (SelectionKey each : all) {
            remove((RdmaSelectionKey) each);
            synchronized (cancelled) {
                cancelled.remove(each);
            }
        }
    }

    /** Removes a key, from the set of all keys last; after an Error, a second call takes the steps that are left. */
    private void remove(RdmaSelectionKey key) {
        selection.remove(key);
        selected.remove(key);
        if (key.rdma() != null) {
            key.rdma().keys().remove(key);
        }
        deregister(key);
        keys.remove(key);
    }

    @Override
    public Selector wakeup() {
        woken = true;
        wait.signal();
        return this;
    }

    // ---- AbstractSelector

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        requireOpen();
        RdmaSelectionKey key = new RdmaSelectionKey(this, channel);
        key.initial(ops, attachment);
        boolean isAdded = false;
        try {
            add(key);
            requireOpen();
            isAdded = true;
        } finally {
            if (!isAdded) {
                undo(key);
            }
        }
        return key;
    }

    private void add(RdmaSelectionKey key) {
        RdmaChannel rdma = key.rdma();
        if (rdma == null) {
            jdk.register(key, key.channel());
        } else {
            rdma.keys().add(key);
            SelectableChannel used = rdma.jdkChannel();
            if (used != null) {
                jdk.register(key, used);
            }
            queued.add(key);
        }
        keys.add(key);
    }

    /** Undoes a registration that has failed; after an Error meanwhile, the next selection removes the key. */
    private void undo(RdmaSelectionKey key) {
        key.cancel();
        key.cancelJdkKey();
        keys.remove(key);
        if (key.rdma() != null) {
            key.rdma().keys().remove(key);
        }
    }

    @Override
    protected void implCloseSelector() throws IOException {
        boolean isDone = false;
        try {
            closeAll();
            isDone = true;
        } finally {
            if (!isDone) {
                // once more, because a second call of close has no effect
                closeAll();
            }
        }
    }

    private void closeAll() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (selected) {
                for (SelectionKey each : keys) {
                    ((RdmaSelectionKey) each).cancelJdkKey();
                }
                jdk.close();
                for (SelectionKey each : keys) {
                    remove((RdmaSelectionKey) each);
                }
            }
        }
    }

    @Override
    public String toString() {
        return "RdmaSelector[" + (isOpen() ? keys.size() + " keys" : "closed") + "]";
    }
}
