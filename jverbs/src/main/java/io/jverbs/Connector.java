package io.jverbs;

/**
 * Moves a connected queue pair from RESET or INIT to RTS with the attributes that {@link QueuePair#connect} documents.
 */
final class Connector {
    static final int PORT = 1;
    private static final int MAX_RD_ATOMIC = 16;
    private static final int MIN_RNR_TIMER = 12;
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;

    private Connector() {}

    static void connect(QueuePair qp, ConnectionInfo local, ConnectionInfo remote) {
        if (qp.type() != QpType.RC && qp.type() != QpType.UC) {
            throw new VerbsException("connect", Errno.EINVAL,
                    qp + " is not an RC or UC queue pair: move it to RTS with modify");
        }
        boolean reliable = qp.type() == QpType.RC;
        RdmaContext context = qp.context();
        DeviceAttributes device = context.queryDevice();
        if (qp.state() == QpState.RESET) {
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT).accessFlags(ACCESS).build());
        }
        Mtu mtu = local.mtu().bytes() < remote.mtu().bytes() ? local.mtu() : remote.mtu();
        QpAttributes.Builder toRtr = QpAttributes.builder().state(QpState.RTR).pathMtu(mtu).destinationQpn(remote.qpn())
                .rqPsn(remote.psn())
                .addressVector(AhAttributes.to(remote.gid(), PORT, context.preferredGid(PORT).index()));
        if (reliable) {
            toRtr.maxDestRdAtomic(Math.min(MAX_RD_ATOMIC, device.maxQpRdAtom())).minRnrTimer(MIN_RNR_TIMER);
        }
        qp.modify(toRtr.build());
        QpAttributes.Builder toRts = QpAttributes.builder().state(QpState.RTS).sqPsn(local.psn());
        if (reliable) {
            toRts.timeout(TIMEOUT).retryCount(RETRIES).rnrRetry(RETRIES)
                    .maxRdAtomic(Math.min(MAX_RD_ATOMIC, device.maxQpInitRdAtom()));
        }
        qp.modify(toRts.build());
    }
}
