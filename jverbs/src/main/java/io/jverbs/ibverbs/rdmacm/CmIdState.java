package io.jverbs.ibverbs.rdmacm;

/**
 * The state of an ID, {@code enum rdma_cm_state} of Linux, as far as this process can tell. The kernel decides what is
 * allowed; this only explains its refusals.
 */
enum CmIdState {
    /** Created. */
    IDLE,
    /** Bound to an address. */
    ADDR_BOUND,
    /** Resolves an address. */
    ADDR_QUERY,
    /** Has a device and a path. */
    ADDR_RESOLVED,
    /** Resolves the route. */
    ROUTE_QUERY,
    /** Can connect. */
    ROUTE_RESOLVED,
    /** Connects or is connected. */
    CONNECT,
    /** The connection has ended. */
    DISCONNECT,
    /** Gets connect requests. */
    LISTEN,
    /** Does not exist any more. */
    DESTROYED;

    private static final int ADDR_RESOLVED_EVENT = 0;
    private static final int ADDR_ERROR_EVENT = 1;
    private static final int ROUTE_RESOLVED_EVENT = 2;
    private static final int ROUTE_ERROR_EVENT = 3;
    private static final int DISCONNECTED_EVENT = 10;

    /**
     * Returns the state after an event.
     *
     * @param event the number of the event, {@code enum rdma_cm_event_type}
     */
    CmIdState after(int event) {
        return switch (event) {
            case ADDR_RESOLVED_EVENT -> ADDR_RESOLVED;
            case ADDR_ERROR_EVENT -> ADDR_BOUND;
            case ROUTE_RESOLVED_EVENT -> ROUTE_RESOLVED;
            case ROUTE_ERROR_EVENT -> ADDR_RESOLVED;
            case DISCONNECTED_EVENT -> DISCONNECT;
            default -> this;
        };
    }

    /** Returns whether the GIDs of both ends are known. */
    boolean hasPath() {
        return switch (this) {
            case ADDR_RESOLVED, ROUTE_QUERY, ROUTE_RESOLVED, CONNECT, DISCONNECT -> true;
            case IDLE, ADDR_BOUND, ADDR_QUERY, LISTEN, DESTROYED -> false;
        };
    }
}
