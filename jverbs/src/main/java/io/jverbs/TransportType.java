package io.jverbs;

/** The transport of a device; see ibv_get_device_list(3). */
public enum TransportType {
    /** The InfiniBand transport, used on InfiniBand and RoCE. */
    IB(0),
    /** iWARP: RDMA over TCP. */
    IWARP(1),
    /** usNIC over Ethernet. */
    USNIC(2),
    /** usNIC over UDP. */
    USNIC_UDP(3),
    /** A transport of no standard type. */
    UNSPECIFIED(4),
    /** Any other value; -1 if the device does not report its transport. */
    UNKNOWN(-1);

    private static final CodeTable<TransportType> BY_CODE = CodeTable.of(values(), TransportType::code, UNKNOWN);

    private final int code;

    TransportType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_transport_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_transport_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static TransportType of(int code) {
        return BY_CODE.find(code);
    }
}
