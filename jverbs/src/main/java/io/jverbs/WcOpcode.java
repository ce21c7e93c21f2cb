package io.jverbs;

/** The operation of a completed request; see ibv_poll_cq(3). Valid only if the status is {@link WcStatus#SUCCESS}. */
public enum WcOpcode {
    /** A SEND, with or without immediate data or invalidation. */
    SEND(0),
    /** An RDMA WRITE, with or without immediate data. */
    RDMA_WRITE(1),
    /** An RDMA READ. */
    RDMA_READ(2),
    /** An atomic compare and swap. */
    COMP_SWAP(3),
    /** An atomic fetch and add. */
    FETCH_ADD(4),
    /** A bind of a memory window. */
    BIND_MW(5),
    /** An invalidation of a local key. */
    LOCAL_INV(6),
    /** A send with TCP segmentation offload. */
    TSO(7),
    /** A flush of remote memory. */
    FLUSH(8),
    /** An atomic write of eight bytes. */
    ATOMIC_WRITE(9),
    /** A receive request that a SEND of the peer consumed. Bit 7 marks receive completions. */
    RECV(128),
    /** A receive request that an RDMA WRITE with immediate data consumed. Its buffers are not written. */
    RECV_RDMA_WITH_IMM(129),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<WcOpcode> BY_CODE = CodeTable.of(values(), WcOpcode::code, UNKNOWN);

    private final int code;

    WcOpcode(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_wc_opcode}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_wc_opcode}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static WcOpcode of(int code) {
        return BY_CODE.find(code);
    }
}
