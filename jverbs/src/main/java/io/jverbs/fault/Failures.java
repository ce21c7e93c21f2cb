package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes to ERR when a rule or the program wants it. The context's lock is held, but for {@link #flush}. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final ContextOps inner;
    private final Collection<TrackedQp> queuePairs;
    private final AsyncDesk asyncEvents;
    private final Runnable deviceFailed;

    /** @param deviceFailed told when the device failed for good */
    Failures(ContextOps inner, Collection<TrackedQp> queuePairs, AsyncDesk asyncEvents, Runnable deviceFailed) {
        this.inner = inner;
        this.queuePairs = queuePairs;
        this.asyncEvents = asyncEvents;
        this.deviceFailed = deviceFailed;
    }

    /** Does what a rule wants done before a post. */
    void carryOut(Fault fault, TrackedQp qp) {
        switch (fault) {
            case Fault.Flush flush -> fail(qp);
            case Fault.RaiseEvent raised -> {
                breakWhatFailed(raised.event(), qp);
                asyncEvents.raise(raised.event(), qp);
            }
            default -> throw new AssertionError(fault + " is nothing to do before a post");
        }
    }

    private void breakWhatFailed(AsyncEventType event, TrackedQp qp) {
        switch (event) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> fail(qp);
            case CQ_ERR -> queuePairs.stream()
                    .filter(each -> each.sendCq() == qp.sendCq() || each.recvCq() == qp.sendCq()).forEach(this::fail);
            case SRQ_ERR -> queuePairs.stream()
                    .filter(each -> each.srqOwner() != null && each.srqOwner() == qp.srqOwner()).forEach(this::fail);
            case DEVICE_FATAL -> {
                queuePairs.forEach(this::fail);
                deviceFailed.run();
            }
            default -> {
                // tells of no failure
            }
        }
    }

    /** Moves a queue pair to ERR, unless it is in RESET, where it has nothing to flush, or the device is gone. */
    void fail(TrackedQp qp) {
        try {
            if (inner.queryQp(qp.handle()).state() != QpState.RESET) {
                flush(qp.handle());
            }
        } catch (VerbsException e) {
            LOG.debug("Queue pair {} does not go to ERR", qp.number(), e);
        }
    }

    void flush(Handle.Qp qp) {
        inner.modifyQp(qp, QpAttributes.builder().state(QpState.ERR).build());
    }
}
