package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;

/** Unreliable connections. */
final class UcTransport implements Transport {
    @Override
    public QpType type() {
        return QpType.UC;
    }

    @Override
    public void connect(QueuePair qp, Destination own, Destination peer, AhAttributes path, Settings settings,
            SendWorkRequest request) {
        qp.modify(QpAttributes.builder().state(QpState.RTR).addressVector(path).pathMtu(settings.mtu())
                .destinationQpn(peer.qpn()).rqPsn(peer.psn()).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(own.psn()).build());
    }
}
