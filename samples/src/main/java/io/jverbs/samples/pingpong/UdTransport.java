package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.samples.console.UsageFailure;

/** Datagrams: queue pairs are not connected, each request has a destination. */
final class UdTransport implements Transport {
    private static final int QKEY = 0x1111_1111;
    /** The length of the global routing header in a receive buffer; see ibv_post_recv(3). */
    private static final int GRH_BYTES = 40;
    private static final int HOP_LIMIT = 64;

    @Override
    public QpType type() {
        return QpType.UD;
    }

    @Override
    public int headroom() {
        return GRH_BYTES;
    }

    @Override
    public int hopLimit() {
        return HOP_LIMIT;
    }

    @Override
    public String beforeOwnGid() {
        return ": GID ";
    }

    @Override
    public void checkSize(int size, PortAttributes port) {
        int mtu = port.activeMtu().bytes();
        if (size > mtu) {
            throw new UsageFailure("--size " + size + " is larger than the port's MTU, " + mtu
                    + " bytes, and a datagram is one packet.");
        }
    }

    @Override
    public void initialize(QueuePair qp, int port) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(port).qkey(QKEY).build());
    }

    @Override
    public void connect(QueuePair qp, Destination own, Destination peer, AhAttributes path, Settings settings,
            SendWorkRequest request) {
        qp.modify(QpAttributes.builder().state(QpState.RTR).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(own.psn()).build());
        request.destination(qp.pd().createAddressHandle(path), peer.qpn(), QKEY);
    }
}
