package io.jverbs.soft.device;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpTransitions;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftAh;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.StackReserve;

/**
 * Modifies and queries queue pairs; see ibv_modify_qp(3) and ibv_query_qp(3). The legal transitions and attributes are
 * those of {@link QpTransitions}.
 */
final class QpModifier {
    /** A placeholder for an address vector that was not set; {@link #query} leaves the attribute out. */
    private static final AhAttributes UNSET = AhAttributes.builder().build();

    private final DeviceCore device;

    QpModifier(DeviceCore device) {
        this.device = device;
    }

    void modify(SoftQp qp, QpAttributes attributes, PortAttributes port) {
        QpType type = qp.parts().service().type();
        if (attributes.present(QpAttribute.STATE)) {
            // send the acknowledgements that are due: hardware would have, and the next state may not send them
            qp.responder().sendResponses();
        }
        qp.lock();
        try {
            QpState current = QpState.of(qp.state());
            QpTransitions.check(type, current, attributes);
            QpTransitions.checkRanges(type, attributes, device.attributes(), port);
            SoftAh path = attributes.present(QpAttribute.AV)
                    ? path("modify_qp", null, attributes.addressVector())
                    : null;
            enter(qp, current, QpTransitions.target(current, attributes), attributes, path);
        } finally {
            qp.unlock();
            // after an Error, too: a queue pair that has entered ERR must be flushed
            device.network().deferredQueue().run();
        }
        qp.requester().resume();
        device.network().deferredQueue().run();
    }

    private void enter(SoftQp qp, QpState current, QpState target, QpAttributes attributes, SoftAh path) {
        if (target == QpState.RESET) {
            Journal.state(qp, current.code(), QpStateCode.RESET, false);
            reset(qp, QpStateCode.RESET);
            return;
        }
        apply(qp, attributes, path);
        qp.state(target.code());
        if (target == QpState.ERR && current != QpState.ERR) {
            qp.enteredError();
        }
        if (target != current) {
            Journal.state(qp, current.code(), target.code(), false);
            qp.requester().notifyDrained(target == QpState.SQD && attributes.enableSqdAsyncNotify());
        }
        if (target == QpState.ERR) {
            // again if the queue pair is in ERR, because the transition to it may have ended with an Error
            device.keyTable().invalidateAll(qp.number());
        }
        qp.requester().chooseLocalOrWire();
    }

    /**
     * Discards all work requests, completions and attributes of a queue pair. The locks of both halves are held. The
     * completions are removed first: when the slots of their requests become free, they must not be in the queue.
     */
    void reset(SoftQp qp, int state) {
        assert qp.isLocked();
        StackReserve.check();
        if (qp.state() != QpStateCode.DESTROYED) {
            qp.requester().removeCompletions();
            qp.responder().removeCompletions();
        }
        qp.state(state);
        qp.requester().clear();
        qp.responder().clear();
        qp.requester().firstPsn(0);
        qp.responder().firstPsn(0);
        qp.responder().endDirectAccess();
        SoftAh path = qp.settings().path;
        qp.settings().clear();
        release(path);
        device.keyTable().invalidateAll(qp.number());
    }

    /** Ends the use of the source GID of an address handle or of a path; the path may be null. */
    void release(SoftAh path) {
        if (path != null) {
            device.port().releaseGid(path.source());
        }
    }

    private void apply(SoftQp qp, QpAttributes from, SoftAh path) {
        qp.responder().endDirectAccess();
        QpSettings to = qp.settings();
        to.given |= from.mask();
        to.accessFlags = from.present(QpAttribute.ACCESS_FLAGS) ? from.accessFlags() : to.accessFlags;
        to.pkeyIndex = from.present(QpAttribute.PKEY_INDEX) ? from.pkeyIndex() : to.pkeyIndex;
        to.port = from.present(QpAttribute.PORT) ? from.port() : to.port;
        to.qkey = from.present(QpAttribute.QKEY) ? from.qkey() : to.qkey;
        to.pathMtu = from.present(QpAttribute.PATH_MTU) ? from.pathMtu().bytes() : to.pathMtu;
        to.destinationQpn = from.present(QpAttribute.DEST_QPN) ? from.destinationQpn() : to.destinationQpn;
        to.timeout = from.present(QpAttribute.TIMEOUT) ? from.timeout() : to.timeout;
        to.retryCount = from.present(QpAttribute.RETRY_CNT) ? from.retryCount() : to.retryCount;
        to.rnrRetry = from.present(QpAttribute.RNR_RETRY) ? from.rnrRetry() : to.rnrRetry;
        to.minRnrTimer = from.present(QpAttribute.MIN_RNR_TIMER) ? from.minRnrTimer() : to.minRnrTimer;
        to.maxRdAtomic = from.present(QpAttribute.MAX_QP_RD_ATOMIC) ? from.maxRdAtomic() : to.maxRdAtomic;
        to.maxDestRdAtomic = from.present(QpAttribute.MAX_DEST_RD_ATOMIC) ? from.maxDestRdAtomic() : to.maxDestRdAtomic;
        if (path != null) {
            SoftAh former = to.path;
            to.path = path;
            release(former);
            to.address = from.addressVector();
        }
        if (from.present(QpAttribute.RQ_PSN)) {
            qp.responder().firstPsn(from.rqPsn());
        }
        if (from.present(QpAttribute.SQ_PSN)) {
            qp.requester().firstPsn(from.sqPsn());
        }
    }

    QpAttributes query(SoftQp qp) {
        qp.lock();
        try {
            QpSettings from = qp.settings();
            QpState state = QpState.of(qp.state());
            QpAttributes.Builder all = QpAttributes.builder().state(state).currentState(state)
                    .accessFlags(from.accessFlags)
                    .pkeyIndex(from.pkeyIndex).port(from.port).qkey(from.qkey)
                    .addressVector(from.address == null ? UNSET : from.address).pathMtu(mtu(from.pathMtu))
                    .destinationQpn(from.destinationQpn).timeout(from.timeout)
                    .retryCount(from.retryCount).rnrRetry(from.rnrRetry).minRnrTimer(from.minRnrTimer)
                    .maxRdAtomic(from.maxRdAtomic).maxDestRdAtomic(from.maxDestRdAtomic)
                    .rqPsn(qp.responder().expectedPsn())
                    .sqPsn(qp.requester().nextPsn()).sqDraining(state == QpState.SQD && qp.requester().isDraining());
            int present = from.given | QpAttribute.STATE.bit() | QpAttribute.CUR_STATE.bit();
            for (QpAttribute attribute : QpAttribute.values()) {
                if ((present & attribute.bit()) == 0) {
                    all.without(attribute);
                }
            }
            return all.build();
        } finally {
            qp.unlock();
        }
    }

    private static Mtu mtu(int bytes) {
        for (Mtu mtu : Mtu.values()) {
            if (mtu != Mtu.UNKNOWN && mtu.bytes() == bytes) {
                return mtu;
            }
        }
        return Mtu.UNKNOWN;
    }

    /**
     * Checks an address vector and resolves its source GID and route. The source GID is in use until {@link #release}.
     *
     * @param operation the verb, for exceptions
     * @param domain the protection domain of an address handle, null for the path of a connected queue pair
     * @param attributes the address vector
     */
    SoftAh path(String operation, SoftPd domain, AhAttributes attributes) {
        attributes.checkRanges(operation, device.attributes(), PortView.limits(device.port()));
        Gid source = device.port().useGid(attributes.sgidIndex());
        if (source == null) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "sgidIndex " + attributes.sgidIndex() + " is an empty entry of the GID table; entries in use are "
                            + device.port().gidTable());
        }
        try {
            return path(operation, domain, source, attributes);
        } catch (RuntimeException | Error e) {
            device.port().releaseGid(source);
            throw e;
        }
    }

    private SoftAh path(String operation, SoftPd domain, Gid source, AhAttributes attributes) {
        DestinationCheck.check(operation, source, attributes.destination(), domain != null);
        Route route = device.fabric().wire().route(source, attributes.destination());
        return new SoftAh(domain, source, attributes.destination(), attributes.trafficClass(), attributes.hopLimit(),
                attributes.flowLabel(), route);
    }
}
