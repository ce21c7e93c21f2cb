package io.jverbs;

/** What a completed request did; see ibv_poll_cq(3). Defined only when the status is {@link WcStatus#SUCCESS}. */
public enum WcOpcode {
    /** A SEND of any kind, also with immediate data or with invalidation. */
    SEND(0),
    /** An RDMA WRITE, also one with immediate data. */
    RDMA_WRITE(1),
    /** An RDMA READ. */
    RDMA_READ(2),
    /** An atomic compare and swap. */
    COMP_SWAP(3),
    /** An atomic fetch and add. */
    FETCH_ADD(4),
    /** A bind of a memory window. */
    BIND_MW(5),
    /** A local invalidation. */
    LOCAL_INV(6),
    /** A send with TCP segmentation offload. */
    TSO(7),
    /** A flush of remote memory. */
    FLUSH(8),
    /** An atomic write of eight bytes. */
    ATOMIC_WRITE(9),
    /** A receive that a SEND of the peer consumed. Bit 7 marks the receiving side. */
    RECV(128),
    /** A receive that an RDMA WRITE with immediate data consumed; its buffers are untouched. */
    RECV_RDMA_WITH_IMM(129),
    /** A number that is none of the operations known here. */
    UNKNOWN(-1);

    private static final CodeTable<WcOpcode> BY_CODE = CodeTable.of(values(), WcOpcode::code, UNKNOWN);

    private final int code;

    WcOpcode(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_wc_opcode}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds an operation by its number.
     *
     * @param code a value of {@code enum ibv_wc_opcode}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static WcOpcode of(int code) {
        return BY_CODE.find(code);
    }
}
