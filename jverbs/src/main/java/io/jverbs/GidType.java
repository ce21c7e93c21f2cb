package io.jverbs;

/** The type of a GID table entry: the protocol of packets that use the GID as their source; see ibv_query_gid_ex(3). */
public enum GidType {
    /** InfiniBand, with a global route header. */
    IB(0),
    /** RoCE version 1: in Ethernet frames, not routable. */
    ROCE_V1(1),
    /** RoCE version 2: in UDP over IPv4 or IPv6, destination port 4791. */
    ROCE_V2(2),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<GidType> BY_CODE = CodeTable.of(values(), GidType::code, UNKNOWN);

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_gid_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_gid_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static GidType of(int code) {
        return BY_CODE.find(code);
    }
}
