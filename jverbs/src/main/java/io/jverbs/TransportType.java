package io.jverbs;

/** The family of protocols that a device speaks; see ibv_get_device_list(3). */
public enum TransportType {
    /** InfiniBand transport: InfiniBand and RoCE. */
    IB(0),
    /** iWARP: RDMA over TCP. */
    IWARP(1),
    /** usNIC over Ethernet. */
    USNIC(2),
    /** usNIC over UDP. */
    USNIC_UDP(3),
    /** A transport of no standard kind. */
    UNSPECIFIED(4),
    /** A number that is no transport, or -1: the device does not say. */
    UNKNOWN(-1);

    private static final CodeTable<TransportType> BY_CODE = CodeTable.of(values(), TransportType::code, UNKNOWN);

    private final int code;

    TransportType(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_transport_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a transport by its number.
     *
     * @param code a value of {@code enum ibv_transport_type}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static TransportType of(int code) {
        return BY_CODE.find(code);
    }
}
