package io.jverbs;

/** How packets that use a GID as their source travel; see ibv_query_gid_ex(3). */
public enum GidType {
    /** InfiniBand, with a global route header. */
    IB(0),
    /** RoCE version 1: directly in Ethernet frames, not routable. */
    ROCE_V1(1),
    /** RoCE version 2: in UDP over IPv4 or IPv6, port 4791. */
    ROCE_V2(2),
    /** A number that is no type. */
    UNKNOWN(-1);

    private static final CodeTable<GidType> BY_CODE = CodeTable.of(values(), GidType::code, UNKNOWN);

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_gid_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a type by its number.
     *
     * @param code a value of {@code enum ibv_gid_type}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static GidType of(int code) {
        return BY_CODE.find(code);
    }
}
