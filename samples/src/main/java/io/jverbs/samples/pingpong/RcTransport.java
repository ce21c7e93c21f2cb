package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;

/** Reliable connections. */
final class RcTransport implements Transport {
    /** The code of 0.64 ms. */
    private static final int MIN_RNR_TIMER = 12;
    /** The code of 67 ms. */
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;

    @Override
    public QpType type() {
        return QpType.RC;
    }

    @Override
    public void connect(QueuePair qp, Destination own, Destination peer, AhAttributes path, Settings settings,
            SendWorkRequest request) {
        qp.modify(QpAttributes.builder().state(QpState.RTR).addressVector(path).pathMtu(settings.mtu())
                .destinationQpn(peer.qpn()).rqPsn(peer.psn()).maxDestRdAtomic(1).minRnrTimer(MIN_RNR_TIMER).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(own.psn()).timeout(TIMEOUT).retryCount(RETRIES)
                .rnrRetry(RETRIES).maxRdAtomic(1).build());
    }
}
