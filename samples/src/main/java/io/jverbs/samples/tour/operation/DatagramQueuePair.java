package io.jverbs.samples.tour.operation;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.Psn;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;

/** A UD queue pair in RTS, with a completion queue of its own. */
final class DatagramQueuePair implements AutoCloseable {
    /** The Q_Key of all queue pairs. A queue pair drops datagrams with another Q_Key. */
    static final int QKEY = 0x1111_1111;

    private final Side side;
    private final QueuePair qp;
    private final Completions done;

    DatagramQueuePair(Side side) {
        this.side = side;
        this.done = side.completions(QpType.UD);
        this.qp = side.pd().createQueuePair(QpInitAttributes.builder(QpType.UD).cq(done.queue()).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(Side.PORT).qkey(QKEY).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.random()).build());
    }

    /** {@return an address handle for a port or a multicast group} */
    AddressHandle pathTo(Gid destination) {
        return side.pd().createAddressHandle(AhAttributes.to(destination, Side.PORT, side.gid().index()));
    }

    QueuePair qp() {
        return qp;
    }

    Completions done() {
        return done;
    }

    @Override
    public void close() {
        qp.close();
        done.close();
    }
}
