package io.jverbs.soft.management;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.management.communication.CmDurations;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.Ece;

/**
 * What both sides have agreed on with REQ and REP: the values of a queue pair's attributes. Guarded by the lock of the
 * agent.
 */
final class NegotiatedAttributes {
    private static final int HOP_LIMIT = 64;

    private final QpType type;
    private int peerQpn;
    /** The PSN of the first packet that this side sends: the starting PSN of the peer's message. */
    private int sqPsn;
    private int pathMtu;
    private int flowLabel;
    private int trafficClass;
    private int responderResources;
    private int initiatorDepth;
    private int retryCount;
    private int rnrRetryCount;
    private int timeout;
    /** The code for the life time of a packet on the route; not used on the passive side. */
    private int lifeTime;
    private Ece ece = Ece.NONE;

    /** @param type RC or UC */
    NegotiatedAttributes(QpType type) {
        this.type = type;
    }

    /**
     * This side has sent a REQ.
     *
     * @param routeLifeTime the code for the life time of a packet on the route
     */
    void reqSent(ConnectRequest request, int routeLifeTime) {
        path(request);
        lifeTime = routeLifeTime;
        responderResources = request.responderResources();
        initiatorDepth = request.initiatorDepth();
    }

    /** This side has received a REQ. */
    void reqReceived(ConnectRequest request) {
        path(request);
        peerQpn = request.qpn();
        sqPsn = request.startingPsn();
        rnrRetryCount = request.rnrRetryCount();
        responderResources = request.initiatorDepth();
        initiatorDepth = request.responderResources();
        ece = request.ece();
    }

    private void path(ConnectRequest request) {
        pathMtu = request.pathMtu();
        flowLabel = request.primaryPath().flowLabel();
        trafficClass = request.primaryPath().trafficClass();
        retryCount = request.retryCount();
        timeout = request.primaryPath().localAckTimeout();
    }

    /** This side has sent a REP. */
    void repSent(ConnectReply reply) {
        responderResources = reply.responderResources();
        initiatorDepth = reply.initiatorDepth();
    }

    /** This side has received a REP. */
    void repReceived(ConnectReply reply) {
        peerQpn = reply.qpn();
        sqPsn = reply.startingPsn();
        ece = reply.ece();
        rnrRetryCount = reply.rnrRetryCount();
        responderResources = reply.initiatorDepth();
        initiatorDepth = reply.responderResources();
        timeout = CmDurations.ackTimeout(reply.targetAckDelay(), lifeTime);
    }

    /** Returns the options of enhanced connection establishment that the peer has sent. */
    Ece ece() {
        return ece;
    }

    /**
     * Returns the attributes for the transition to a state.
     *
     * @param ends may be null for INIT
     * @param startingPsn the starting PSN of this side's message: the PSN of the first packet of the peer
     * @param options the options of the ID
     */
    QpAttributes attributes(QpState target, CmPort port, CmPath ends, int startingPsn, CmOptions options) {
        QpAttributes.Builder all = QpAttributes.builder().state(target);
        return switch (target) {
            case INIT -> all.pkeyIndex(0).port(port.number()).accessFlags(Access.REMOTE_WRITE
                    | (responderResources > 0 ? Access.REMOTE_READ | Access.REMOTE_ATOMIC : 0)).build();
            case RTR -> {
                all.addressVector(destination(port, ends, flowLabel, trafficClass)).rawPathMtu(pathMtu)
                        .destinationQpn(peerQpn).rqPsn(startingPsn);
                yield (type == QpType.RC ? all.maxDestRdAtomic(responderResources).minRnrTimer(0) : all).build();
            }
            case RTS -> {
                all.sqPsn(sqPsn);
                yield (type == QpType.RC
                        ? all.retryCount(retryCount).rnrRetry(rnrRetryCount).timeout(options.ackTimeout(timeout))
                                .maxRdAtomic(initiatorDepth)
                        : all).build();
            }
            default -> throw new IllegalArgumentException(target.toString());
        };
    }

    /** Returns the path to the other end, from the port of this end. */
    static AhAttributes destination(CmPort port, CmPath ends, int flowLabel, int trafficClass) {
        return AhAttributes.builder().destination(ends.remote()).sgidIndex(port.gidIndex(ends.local()))
                .port(port.number()).hopLimit(HOP_LIMIT).flowLabel(flowLabel).trafficClass(trafficClass).build();
    }
}
