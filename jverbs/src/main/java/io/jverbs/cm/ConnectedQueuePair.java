package io.jverbs.cm;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue pair of an ID, which is moved to its states with the ID's attributes, as librdmacm does. Thread-safe: a
 * lock guards the creation, the destruction and the attachments. It is not the monitor, because a destruction waits for
 * events to be acknowledged, and a wait in a monitor keeps the carrier of a virtual thread.
 */
final class ConnectedQueuePair {
    private static final int REMOTE_READS = Access.REMOTE_READ | Access.REMOTE_ATOMIC;

    private final CmId id;
    private final ReentrantLock lock = new ReentrantLock();
    /** Held from the check of an accept to its end, so that another one does not move the queue pair. */
    private final ReentrantLock acceptance = new ReentrantLock();
    /** The memberships that have attached the queue pair, and their groups. */
    private final Map<JoinContext, Gid> attachments = new HashMap<>();
    private final QueuePairEce ece = new QueuePairEce();
    private volatile QueuePair queuePair;
    /** The queue pair that a creation has not finished; guarded by the lock. */
    private QueuePair unfinished;
    private volatile boolean failed;
    /** The event that has ended the connection or its establishment; null if none was retrieved. */
    private volatile CmEventType end;

    ConnectedQueuePair(CmId id) {
        this.id = id;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /**
     * Creates the queue pair, with objects of the ID in place of those that are missing.
     *
     * @param pd the protection domain, null for the default one
     */
    QueuePair create(ProtectionDomain pd, QpInitAttributes attributes) {
        lock.lock();
        try {
            check(pd, attributes);
            destroyUnfinished();
            ProtectionDomain own = pd == null ? id.resources().defaultDomain("create_qp") : pd;
            try {
                return createChecked(own, id.resources().complete(attributes));
            } catch (RuntimeException | Error e) {
                discard(e);
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    private QueuePair createChecked(ProtectionDomain pd, QpInitAttributes attributes) {
        unfinished = pd.createQueuePair(attributes);
        ece.created(unfinished, id.operations());
        QpAttributes toInit = id.initQpAttributes(QpState.INIT);
        if (id.qpType() == QpType.UD) {
            unfinished.modify(toInit);
            unfinished.modify(QpAttributes.builder().state(QpState.RTR).build());
            unfinished.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).build());
        } else {
            // the peer's rights are agreed on later
            unfinished.modify(toInit.toBuilder().accessFlags(0).build());
        }
        ece.initialized(unfinished, id.operations());
        queuePair = unfinished;
        unfinished = null;
        return queuePair;
    }

    /** Destroys what a failed creation has left. If that fails, too, the close of the ID does so later. */
    private void discard(Throwable cause) {
        try {
            destroyUnfinished();
            id.resources().destroyQueues();
        } catch (RuntimeException | Error e) {
            if (e != cause) {
                cause.addSuppressed(e);
            }
        }
    }

    private void destroyUnfinished() {
        if (unfinished != null) {
            unfinished.close();
            unfinished = null;
        }
    }

    private void check(ProtectionDomain pd, QpInitAttributes attributes) {
        id.resources().requireDevice("create_qp");
        String why = null;
        if (queuePair != null) {
            why = id + " has a queue pair already";
        } else if (pd != null && pd.context() != id.context()) {
            why = CmIdResources.FOREIGN_DOMAIN;
        } else if (attributes.type() != id.qpType()) {
            why = "the type is " + attributes.type() + "; an ID of port space " + id.portSpace() + " has queue pairs of"
                    + " type " + id.qpType();
        }
        if (why != null) {
            throw new VerbsException("create_qp", Errno.EINVAL, why);
        }
    }

    /** Moves a queue pair from INIT to RTS, with at most as many READs and atomics as agreed. */
    void connect(int maxResponderResources, int maxInitiatorDepth) {
        QueuePair qp = queuePair;
        QpAttributes toRtr = id.initQpAttributes(QpState.RTR);
        QpAttributes toInit = id.initQpAttributes(QpState.INIT);
        if (toRtr.present(QpAttribute.MAX_DEST_RD_ATOMIC)) {
            int resources = maxResponderResources == ConnectionParameters.MAXIMUM
                    ? toRtr.maxDestRdAtomic()
                    : maxResponderResources;
            toRtr = toRtr.toBuilder().maxDestRdAtomic(resources).build();
            toInit = toInit.toBuilder()
                    .accessFlags(toInit.accessFlags() & ~REMOTE_READS | (resources > 0 ? REMOTE_READS : 0)).build();
        }
        qp.modify(toInit);
        qp.modify(toRtr);
        QpAttributes toRts = id.initQpAttributes(QpState.RTS);
        if (toRts.present(QpAttribute.MAX_QP_RD_ATOMIC) && maxInitiatorDepth != ConnectionParameters.MAXIMUM) {
            toRts = toRts.toBuilder().maxRdAtomic(maxInitiatorDepth).build();
        }
        qp.modify(toRts);
    }

    /**
     * Moves the queue pair, if there is one that connects, to RTS and accepts a connect request. Moves it to ERR if
     * that fails, but not if the ID refuses the call because of its state or the parameters.
     */
    void accept(CmIdOps ops, CmParameters given) {
        if (queuePair == null || id.qpType() == QpType.UD) {
            ops.accept(given);
            return;
        }
        acceptance.lock();
        try {
            ops.checkAccept(given);
            try {
                connect(given.responderResources(), given.initiatorDepth());
                ops.accept(given);
            } catch (RuntimeException e) {
                fail();
                throw e;
            }
        } finally {
            acceptance.unlock();
        }
    }

    /** Moves the queue pair, if there is one, to ERR and ends the connection, unless the ID cannot disconnect. */
    void disconnect(CmIdOps ops) {
        ops.checkDisconnect();
        fail();
        ops.disconnect();
    }

    /** Moves the queue pair to RTS after a connect response, and tells the peer. */
    void establish() {
        ece.responseReceived(queuePair, id.operations());
        connect(ConnectionParameters.MAXIMUM, ConnectionParameters.MAXIMUM);
        id.operations().establish();
    }

    /** Notes that a step of this side failed, and moves the queue pair to ERR. Later events of its end are dropped. */
    void stepFailed() {
        failed = true;
        fail();
    }

    boolean hasFailed() {
        return failed;
    }

    /** Notes whether the program gets an event that establishes or ends the connection. */
    void retrieved(CmEventType type) {
        switch (type) {
            case CONNECT_RESPONSE, ESTABLISHED -> end = null;
            case CONNECT_ERROR, UNREACHABLE, REJECTED, DISCONNECTED -> end = type;
            default -> {
                // says nothing about the connection
            }
        }
    }

    /** Returns the event that has ended the connection or its establishment; null if none was retrieved. */
    CmEventType end() {
        return end;
    }

    /** Moves the queue pair to ERR, if there is one. */
    void fail() {
        QueuePair qp = queuePair;
        if (qp == null) {
            return;
        }
        try {
            if (qp.state() != QpState.RESET) {
                qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            }
        } catch (IllegalStateException e) {
            if (!qp.isClosed()) {
                throw e;
            }
        }
    }

    /** Attaches the queue pair, if there is one, to a group, unless the ID only sends to it or has left it. */
    void joined(Gid group, JoinContext join) {
        lock.lock();
        try {
            if (queuePair != null && !join.sendOnly() && !join.isLeft) {
                queuePair.attachMulticast(group, 0);
                attachments.put(join, group);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends a membership, and detaches the queue pair from the group with the last one that has attached it. */
    void left(JoinContext join) {
        lock.lock();
        try {
            join.isLeft = true;
            Gid group = attachments.get(join);
            if (queuePair != null && group != null) {
                if (Collections.frequency(attachments.values(), group) == 1) {
                    detach(group);
                }
                attachments.remove(join);
            }
        } finally {
            lock.unlock();
        }
    }

    private void detach(Gid group) {
        try {
            queuePair.detachMulticast(group, 0);
        } catch (VerbsException e) {
            if (e.error() != Errno.EINVAL) {
                throw e;
            }
            // the program has detached it
        }
    }

    void destroy() {
        lock.lock();
        try {
            if (queuePair != null) {
                Set.copyOf(attachments.values()).forEach(this::detach);
                attachments.clear();
                queuePair.close();
                queuePair = null;
            }
            destroyUnfinished();
            id.resources().destroyQueues();
        } finally {
            lock.unlock();
        }
    }

    /** Destroys the queue pair, and the shared receive queue of the ID. */
    void destroyAll() {
        destroy();
        id.resources().destroySrq();
    }
}
