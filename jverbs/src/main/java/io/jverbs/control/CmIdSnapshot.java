package io.jverbs.control;

import java.util.Objects;

/**
 * A CM ID at one moment, as {@code rdma resource show cm_id} prints it. Immutable.
 *
 * @param portSpace its port space: TCP, UDP or IB
 * @param state its state; that of its connection, such as ESTABLISHED or TIMEWAIT, if it has one
 * @param source the address and port that it is bound to; empty if it is not bound
 * @param destination the address and port of the peer; empty if there is none
 */
public record CmIdSnapshot(String portSpace, String state, String source, String destination) {
    /** Refuses null. */
    public CmIdSnapshot {
        Objects.requireNonNull(portSpace, "portSpace");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
    }
}
