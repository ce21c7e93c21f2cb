package io.jverbs.strict;

import io.jverbs.QpType;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import io.jverbs.spi.ForwardingCmChannel;
import io.jverbs.spi.Handle;
import io.jverbs.strict.Violation.Kind;

/** A CM ID in strict mode. It checks the receive requests of its queue pair and its events. Thread-safe. */
final class StrictCmId extends ForwardingCmChannel.Id implements Handle {
    private final StrictContext context;
    private final OpenObjects creations;
    private final DeferredReports deferred;
    private volatile StrictCmChannel channel;
    private volatile boolean isLogged;

    StrictCmId(StrictContext context, OpenObjects creations, DeferredReports deferred, StrictCmChannel channel,
            CmIdOps inner) {
        super(inner);
        this.context = context;
        this.creations = creations;
        this.deferred = deferred;
        this.channel = channel;
    }

    /** {@inheritDoc} The API object of the ID of a connect request is known from here on. */
    @Override
    public void owner(Object owner) {
        super.owner(owner);
        creations.owner(this, owner);
    }

    @Override
    public void connect(CmParameters parameters) {
        Violation found = checkReceives("connects", parameters);
        if (found != null) {
            context.mode().refuse(found);
        }
        super.connect(parameters);
    }

    /** {@inheritDoc} The queue pair is in RTS already, so that an exception would not leave it as it was. */
    @Override
    public void accept(CmParameters parameters) {
        Violation found = checkReceives("accepts", parameters);
        super.accept(parameters);
        if (found != null) {
            deferred.report(found);
        }
    }

    /** The peer may send as soon as it is connected; with RNR retry count 0 its first message then fails. */
    private Violation checkReceives(String verb, CmParameters parameters) {
        StrictQp qp = context.isDisabled() ? null : context.numbered(parameters.qpNumber());
        if (qp == null || qp.type() != QpType.RC || parameters.rnrRetryCount() != 0
                || !qp.receiveCount().isAtMost(0)) {
            return null;
        }
        return new Violation(Kind.NO_RECEIVE_POSTED, ConnectionChecks.name(qp) + " " + verb
                + " with rnrRetryCount 0 (no retry of the peer), and has no receive request posted. A message that"
                + " the peer sends at once completes there with RNR_RETRY_EXC_ERR", CallSites.caller(),
                "Post receive requests before connect and accept, or set rnrRetryCount to 7 (unlimited retries)");
    }

    @Override
    public int migrate(CmChannelOps target) {
        int retrieved = super.migrate(target);
        StrictCmChannel next = (StrictCmChannel) target;
        next.add(this);
        channel.remove(this);
        channel = next;
        return retrieved;
    }

    @Override
    public int destroy() {
        if (creations.checkEvents(this)) {
            isLogged = true;
        }
        int retrieved = super.destroy();
        channel.remove(this);
        creations.destroyed(this);
        return retrieved;
    }

    @Override
    public boolean isLogged() {
        return isLogged || super.isLogged();
    }
}
