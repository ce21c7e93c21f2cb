package io.jverbs.samples.pingpong;

import io.jverbs.AhAttributes;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;

/** The differences between the transport services. The attributes are those that the C programs set. */
interface Transport {
    /** {@return the type of the queue pairs} */
    QpType type();

    /** {@return the number of bytes before the message in a receive buffer} */
    default int headroom() {
        return 0;
    }

    /** {@return the hop limit of the GRH} */
    default int hopLimit() {
        return 1;
    }

    /** {@return the text between PSN and GID in the line that prints the local address} */
    default String beforeOwnGid() {
        return ", GID ";
    }

    /** Throws if a message of this size does not fit into one request. */
    default void checkSize(int size, PortAttributes port) {}

    /** Moves a new queue pair to INIT. */
    default void initialize(QueuePair qp, int port) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(port).accessFlags(0).build());
    }

    /**
     * Moves a queue pair from INIT to RTS.
     *
     * @param qp the queue pair
     * @param own the destination of the queue pair
     * @param peer the destination of its peer
     * @param path the path to the peer
     * @param settings the options
     * @param request the request that will be posted to the queue pair
     */
    void connect(QueuePair qp, Destination own, Destination peer, AhAttributes path, Settings settings,
            SendWorkRequest request);
}
