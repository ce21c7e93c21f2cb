package io.jverbs.fault;

import io.jverbs.spi.Handle;

/** A completion channel, and whether it is gone: who waits on it must not go on. */
final class TrackedChannel {
    private final Handle.Channel handle;
    private volatile boolean destroyed;

    TrackedChannel(Handle.Channel handle) {
        this.handle = handle;
    }

    Handle.Channel handle() {
        return handle;
    }

    boolean isDestroyed() {
        return destroyed;
    }

    void destroyed() {
        destroyed = true;
    }
}
