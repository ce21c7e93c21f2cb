package io.jverbs;

import io.jverbs.spi.CmChannelOps;

/**
 * The device's part of an event channel of the connection manager. Programs use {@link io.jverbs.cm.CmEventChannel},
 * which is made of it. The close of the context closes it, with its IDs, before the queue pairs. Thread-safe.
 */
public final class ManagementChannel extends Resource {
    private final CmChannelOps ops;

    ManagementChannel(RdmaContext context) {
        super(context);
        try {
            adopt();
            ops = context.ops().createCmChannel();
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * {@return the operations of the device}
     *
     * @throws IllegalStateException if the channel is closed
     */
    public CmChannelOps operations() {
        checkOpen();
        return ops;
    }

    /** {@return the operations of the device, also if the channel is closed} */
    public CmChannelOps closingOperations() {
        return ops;
    }

    /**
     * {@return the protection domain that the IDs of the context share, which exists until each {@link #releaseDomain}}
     */
    public ProtectionDomain acquireDomain() {
        return context().defaultDomain().acquire();
    }

    /** Ends a use of the shared protection domain. If this throws, the use has not ended. Allowed after the close. */
    public void releaseDomain() {
        context().defaultDomain().release();
    }

    @Override
    Rank rank() {
        return Rank.MANAGEMENT_CHANNEL;
    }

    @Override
    CmChannelOps handle() {
        return ops;
    }

    @Override
    void destroy() {
        ops.close();
    }

    @Override
    public String toString() {
        return "event channel of " + context().device();
    }
}
