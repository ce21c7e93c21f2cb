package io.jverbs.soft.transport;

import io.jverbs.soft.wire.Outgoing;

/**
 * Room for packets of several requests, or of several queue pairs, that leave together: taken from the wire with the first of them,
 * and given back when all are written. Guarded by whoever has it.
 */
public final class Outbox {
    private final Wire wire;
    private Outgoing out;

    /**
     * Makes one.
     *
     * @param wire where its packets leave; null if there will be none
     */
    public Outbox(Wire wire) {
        this.wire = wire;
    }

    /** Room for the next packet. */
    Outgoing room() {
        if (out == null) {
            out = wire.acquire();
        }
        return out;
    }

    /** What was written leaves, if there is something. */
    public void release() {
        Outgoing written = out;
        if (written != null) {
            out = null;
            wire.release(written);
        }
    }
}
