package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;

/** What the transport services do differently. The attributes are those that the C programs set. */
interface Transport {
    /** {@return the type of the queue pairs} */
    QpType type();

    /** {@return how many bytes a receive has before the message} */
    default int headroom() {
        return 0;
    }

    /** {@return how many routers may lie between both sides} */
    default int hopLimit() {
        return 1;
    }

    /** {@return what parts the PSN from the GID in the line that tells the own address} */
    default String beforeOwnGid() {
        return ", GID ";
    }

    /** Refuses messages that no request can carry. */
    default void checkSize(int size, PortAttributes port) {}

    /** Brings a new queue pair to INIT. */
    default void initialize(QueuePair qp, int port) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(port).accessFlags(0).build());
    }

    /**
     * Brings a queue pair from INIT to RTS.
     *
     * @param qp the queue pair
     * @param own where it is reached
     * @param peer where its peer is
     * @param path the path there
     * @param settings the options
     * @param request what will be posted to the queue pair
     */
    void connect(QueuePair qp, Destination own, Destination peer, AhAttributes path, Settings settings,
            SendWorkRequest request);
}
