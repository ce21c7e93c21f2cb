package io.jverbs.cm;

/** The type of an event of the connection manager, {@code enum rdma_cm_event_type}; see rdma_get_cm_event(3). */
public enum CmEventType {
    /** {@link CmId#resolveAddress} has found a device and a path. */
    ADDR_RESOLVED(0),
    /** {@link CmId#resolveAddress} failed; the status is a negative errno. */
    ADDR_ERROR(1),
    /** {@link CmId#resolveRoute} is done: {@link CmId#connect} can be called. */
    ROUTE_RESOLVED(2),
    /** {@link CmId#resolveRoute} failed; the status is a negative errno. */
    ROUTE_ERROR(3),
    /** A peer asks for a connection: {@link CmEvent#id} is a new ID, to accept or reject. */
    CONNECT_REQUEST(4),
    /** The peer has accepted; only for IDs without a queue pair, which call {@link CmId#establish}. */
    CONNECT_RESPONSE(5),
    /** The connection could not be established; the status is a negative errno, or -1 if the queue pair failed. */
    CONNECT_ERROR(6),
    /** The peer did not respond (negative errno), or SIDR failed (positive status of the SIDR_REP). */
    UNREACHABLE(7),
    /** The peer has rejected; the status is the reason of the REJ, for iWARP a negative errno. */
    REJECTED(8),
    /** The connection is established, or the queue pair number of a UD peer is known. */
    ESTABLISHED(9),
    /** The connection has ended. */
    DISCONNECTED(10),
    /** The device is removed: close the ID. */
    DEVICE_REMOVAL(11),
    /** The ID has joined a multicast group. */
    MULTICAST_JOIN(12),
    /** The ID could not join a multicast group, or has lost the membership. */
    MULTICAST_ERROR(13),
    /** The network device of the ID has another address now; the connection may have to be established again. */
    ADDR_CHANGE(14),
    /** The queue pair of an ended connection can be used again. */
    TIMEWAIT_EXIT(15),
    /** The program has called {@link CmId#postUserEvent}; the status is the program's. */
    USER(18),
    /** Any other value; {@link CmEvent#rawType} returns it. */
    UNKNOWN(-1);

    private static final CmEventType[] VALUES = values();

    private final int code;

    CmEventType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum rdma_cm_event_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum rdma_cm_event_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static CmEventType of(int code) {
        for (CmEventType each : VALUES) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }

    /**
     * {@return whether the event reports that a step failed or that the device was removed; false for {@link
     * #DISCONNECTED}}
     */
    public boolean isFailure() {
        return switch (this) {
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL, MULTICAST_ERROR -> true;
            default -> false;
        };
    }
}
