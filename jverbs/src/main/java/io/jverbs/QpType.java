package io.jverbs;

/** The transport service of a queue pair; see ibv_create_qp(3). */
public enum QpType {
    /** Reliable connection: every operation; acknowledged, in order, retried. */
    RC(2),
    /** Unreliable connection: SEND and RDMA WRITE to one peer, without acknowledgement. */
    UC(3),
    /** Unreliable datagram: SEND of at most one MTU to any peer or multicast group. */
    UD(4),
    /** A number that is none of the types known here. */
    UNKNOWN(-1);

    private static final CodeTable<QpType> BY_CODE = CodeTable.of(values(), QpType::code, UNKNOWN);

    private final int code;

    QpType(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_qp_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a type by its number.
     *
     * @param code a value of {@code enum ibv_qp_type}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static QpType of(int code) {
        return BY_CODE.find(code);
    }
}
