package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves queue pairs to ERR, and the device to its failed state, as rules or the program request. All methods except
 * {@link #flush} are called with the lock of the context held.
 */
final class FailureActions {
    private static final Logger LOG = LoggerFactory.getLogger(FailureActions.class);

    private final ContextOps inner;
    private final Collection<TrackedQp> queuePairs;
    private final AsyncEventFilter asyncEvents;
    private final Runnable deviceFailed;
    private final ReentrantLock lock;

    /**
     * Creates the actions of a context.
     *
     * @param deviceFailed called when the device fails permanently
     */
    FailureActions(ContextOps inner, Collection<TrackedQp> queuePairs, AsyncEventFilter asyncEvents,
            Runnable deviceFailed, ReentrantLock lock) {
        this.inner = inner;
        this.queuePairs = queuePairs;
        this.asyncEvents = asyncEvents;
        this.deviceFailed = deviceFailed;
        this.lock = lock;
    }

    /** Executes a fault that takes effect before a post. */
    void perform(Fault fault, TrackedQp qp) {
        assert lock.isHeldByCurrentThread();
        switch (fault) {
            case Fault.Flush flush -> fail(qp);
            case Fault.RaiseEvent raised -> {
                failAffected(raised.event(), qp);
                asyncEvents.raise(raised.event(), qp);
            }
            default -> throw new AssertionError(fault + " does not take effect before a post");
        }
    }

    private void failAffected(AsyncEventType event, TrackedQp qp) {
        switch (event) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> fail(qp);
            case CQ_ERR -> queuePairs.stream()
                    .filter(each -> each.sendCq() == qp.sendCq() || each.recvCq() == qp.sendCq()).forEach(this::fail);
            case SRQ_ERR -> queuePairs.stream()
                    .filter(each -> each.srq() != null && each.srq() == qp.srq()).forEach(this::fail);
            case DEVICE_FATAL -> {
                queuePairs.forEach(this::fail);
                deviceFailed.run();
            }
            default -> {
                // the event does not stand for a failure
            }
        }
    }

    /**
     * Moves a queue pair to ERR. No effect in RESET, where nothing is outstanding, if the device rejects it or has
     * destroyed the queue pair.
     */
    void fail(TrackedQp qp) {
        assert lock.isHeldByCurrentThread();
        try {
            if (!qp.isDestroyed() && inner.queryQpState(qp.handle()) != QpState.RESET) {
                flush(qp.handle());
            }
        } catch (VerbsException e) {
            LOG.debug("Cannot move queue pair {} to ERR", qp.number(), e);
        }
    }

    /** Moves a queue pair to ERR; throws what the device throws. */
    void flush(Handle.Qp qp) {
        inner.modifyQp(qp, QpAttributes.builder().state(QpState.ERR).build());
    }
}
