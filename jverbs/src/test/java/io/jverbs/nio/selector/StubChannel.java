package io.jverbs.nio.selector;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;

/** A channel whose operations are ready when a test says so, in non-blocking mode. */
final class StubChannel extends AbstractSelectableChannel implements RdmaChannel {
    /** How often a stream runs a notification that fails. */
    private static final int ATTEMPTS = 2;

    private final ChannelKeys keys = new ChannelKeys();
    private volatile SelectableChannel jdk;
    private volatile Runnable whenRequested = () -> {};
    private int ready;
    private int requested;

    StubChannel() {
        super(null);
    }

    /** Makes a channel of the JDK part of this one. */
    StubChannel with(SelectableChannel ofJdk) {
        jdk = ofJdk;
        return this;
    }

    /** Has an action run before the next request of a notification is made. */
    void beforeRequest(Runnable action) {
        whenRequested = () -> {
            whenRequested = () -> {};
            action.run();
        };
    }

    /** Sets the operations that are ready, and notifies the keys as a stream does. */
    synchronized void ready(int ops) {
        ready = ops;
        for (int attempt = 0; attempt < ATTEMPTS && (ready & requested) != 0; attempt++) {
            try {
                keys.run();
                requested = 0;
            } catch (Error e) {
                // once more
            }
        }
    }

    /** Returns the operations of the notification that is requested. */
    synchronized int requested() {
        return requested;
    }

    @Override
    public synchronized int readyOps(int interest) {
        return ready;
    }

    @Override
    public void requestNotification(int interest) {
        whenRequested.run();
        synchronized (this) {
            requested = interest & ~ready;
        }
    }

    @Override
    public SelectableChannel jdkChannel() {
        return jdk;
    }

    @Override
    public ChannelKeys keys() {
        return keys;
    }

    @Override
    public int validOps() {
        return SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean isBlocking) {}
}
