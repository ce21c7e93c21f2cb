package io.jverbs.soft.management;

/** The state of a CM ID, as {@code enum rdma_cm_state} of Linux. */
enum CmIdState {
    /** The ID was created. */
    IDLE,
    /** It is bound to an address and a port. */
    ADDR_BOUND,
    /** The address of the peer is resolved. */
    ADDR_RESOLVED,
    /** The route to the peer is resolved. */
    ROUTE_RESOLVED,
    /** It listens. */
    LISTEN,
    /** It connects, has received a connect request, or is connected. */
    CONNECT,
    /** Its connection has ended. */
    DISCONNECT,
    /** Its device was removed. It can only be destroyed. */
    DEVICE_REMOVAL,
    /** It was destroyed. */
    DESTROYED
}
