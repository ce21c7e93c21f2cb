package io.jverbs.soft.management;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.soft.management.communication.CmState;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;

/**
 * What a CM ID does after its address is known, which depends on its port space. Guarded by the lock of the agent.
 */
interface CmService {

    /** Asks the peer for a connection or for its queue pair; see rdma_connect(3). */
    void connect(CmParameters parameters);

    /** Accepts the request that has created the ID; see rdma_accept(3). */
    void accept(CmParameters parameters);

    /** Throws if {@link #accept} would, because of the state or the private data. */
    void checkAccept(CmParameters parameters);

    /** Rejects the request that has created the ID, or the response; see rdma_reject(3). */
    void reject(int reason, byte[] privateData);

    /** Completes a connection; see rdma_establish(3). */
    void establish();

    /** Notes an asynchronous event of the queue pair; see rdma_notify(3). */
    void notify(int event);

    /** Throws if {@link #disconnect} would. */
    void checkDisconnect();

    /** Ends the connection; see rdma_disconnect(3). */
    void disconnect();

    /** Returns the attributes of the queue pair for a state; see rdma_init_qp_attr(3). */
    QpAttributes qpAttributes(QpState target);

    /** Throws EINVAL if the values for RTR and RTS are not known. */
    void checkNegotiated();

    /** Sets the options that the next connect or accept sends. */
    void localEce(CmIdOps.Ece ece);

    /** Returns the options of the peer. */
    CmIdOps.Ece remoteEce();

    /** Returns the state of the connection; null if there is none. */
    CmState state();

    /** Ends whatever is under way, because the ID is destroyed. */
    void destroy();
}
