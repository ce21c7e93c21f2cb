package io.jverbs.strict;

import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.ForwardingCmChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An event channel of the connection manager in strict mode. It tracks its IDs. Thread-safe. */
final class StrictCmChannel extends ForwardingCmChannel {
    private final StrictContext context;
    private final OpenObjects creations;
    private final DeferredReports deferred;
    private final Set<StrictCmId> ids = ConcurrentHashMap.newKeySet();

    private StrictCmChannel(StrictContext context, OpenObjects creations, DeferredReports deferred,
            CmChannelOps inner) {
        super(inner);
        this.context = context;
        this.creations = creations;
        this.deferred = deferred;
    }

    /** Puts a channel before that of the device, which is closed if that fails. */
    static StrictCmChannel before(CmChannelOps inner, StrictContext context, OpenObjects creations,
            DeferredReports deferred) {
        try {
            return creations.created("CM event channel", null,
                    new StrictCmChannel(context, creations, deferred, inner));
        } catch (RuntimeException | Error e) {
            inner.close();
            throw e;
        }
    }

    @Override
    protected StrictCmId wrap(CmIdOps id, boolean isRequested) {
        StrictCmId strict = new StrictCmId(context, creations, deferred, this, id);
        ids.add(strict);
        return creations.created(isRequested ? "CM ID of a connect request" : "CM ID", id.owner(), strict);
    }

    void add(StrictCmId id) {
        ids.add(id);
    }

    void remove(StrictCmId id) {
        ids.remove(id);
    }

    /** {@inheritDoc} The IDs that are left were not closed by the program. */
    @Override
    public void close() {
        List<StrictCmId> left = List.copyOf(ids);
        super.close();
        // no lambda: whether the context is being closed is seen from the frames
        for (StrictCmId id : left) {
            creations.destroyed(id);
        }
        ids.removeAll(left);
        creations.destroyed(this);
    }
}
