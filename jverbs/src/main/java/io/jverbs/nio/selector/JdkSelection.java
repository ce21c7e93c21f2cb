package io.jverbs.nio.selector;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The JDK's selector within a selector, which exists as soon as a channel of the JDK needs it. Thread-safe. */
final class JdkSelection {
    private static final Consumer<SelectionKey> NOTHING = key -> {
        // the key is ready again in the next selection
    };

    private final Supplier<SelectorProvider> provider;
    /** Changed by a thread that has the monitor of this object. */
    private volatile Selector selector;
    private volatile boolean closed;

    JdkSelection(Supplier<SelectorProvider> provider) {
        this.provider = provider;
    }

    /** Registers a channel for a key; returns whether it was not before. */
    boolean register(RdmaSelectionKey key, SelectableChannel channel) {
        return key.use(channel, selector());
    }

    private Selector selector() {
        Selector present = selector;
        return present == null ? open() : present;
    }

    private synchronized Selector open() {
        if (closed) {
            throw new ClosedSelectorException();
        }
        if (selector == null) {
            try {
                selector = provider.get().openSelector();
            } catch (IOException e) {
                throw new IllegalStateException("the JDK's selector cannot be opened: " + e.getMessage(), e);
            }
        }
        return selector;
    }

    /** Returns whether there is something to select or to deregister. */
    boolean isUsed() {
        Selector present = selector;
        return present != null && !present.keys().isEmpty();
    }

    /** Passes the keys that are ready on. */
    void selectNow(Consumer<SelectionKey> ready) throws IOException {
        selector.selectNow(ready);
    }

    /** Waits for keys that are ready, and passes them on; 0 milliseconds for no limit. */
    void select(Consumer<SelectionKey> ready, long millis) throws IOException {
        selector.select(ready, millis);
    }

    /** Deregisters the keys that are cancelled. */
    void deregister() throws IOException {
        selector.selectNow(NOTHING);
    }

    void wakeup() {
        Selector present = selector;
        if (present != null) {
            present.wakeup();
        }
    }

    void close() throws IOException {
        Selector used;
        synchronized (this) {
            closed = true;
            used = selector;
        }
        if (used != null) {
            used.close();
        }
    }
}
