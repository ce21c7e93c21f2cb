package io.jverbs;

/** The transport service of a queue pair; see ibv_create_qp(3). */
public enum QpType {
    /** Reliable connection: all operations, with acknowledgements, retries and delivery in order. */
    RC(2),
    /** Unreliable connection: SEND and RDMA WRITE to one peer, without acknowledgements. */
    UC(3),
    /** Unreliable datagram: SEND of at most one MTU to any peer or multicast group. */
    UD(4),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<QpType> BY_CODE = CodeTable.of(values(), QpType::code, UNKNOWN);

    private final int code;

    QpType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_qp_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_qp_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static QpType of(int code) {
        return BY_CODE.find(code);
    }
}
