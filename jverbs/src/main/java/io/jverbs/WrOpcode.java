package io.jverbs;

/**
 * What a send work request asks for; see ibv_post_send(3). Which operation is legal depends on the type of the
 * queue pair.
 */
public enum WrOpcode {
    /** Writes local memory into remote memory (RC, UC). The remote program is not told. */
    RDMA_WRITE(0),
    /** As {@link #RDMA_WRITE}, then consumes a receive of the peer to hand over four bytes (RC, UC). */
    RDMA_WRITE_WITH_IMM(1),
    /** Sends a message into a receive posted by the peer (RC, UC, UD). */
    SEND(2),
    /** As {@link #SEND}, with four bytes of immediate data (RC, UC, UD). */
    SEND_WITH_IMM(3),
    /** Reads remote memory into local memory (RC). */
    RDMA_READ(4),
    /** Swaps a remote 64-bit word if it has the expected value, and returns the value it had (RC). */
    ATOMIC_CMP_AND_SWP(5),
    /** Adds to a remote 64-bit word and returns the value it had (RC). */
    ATOMIC_FETCH_AND_ADD(6),
    /** Invalidates a local key, for instance that of a type 2 memory window (RC, UC). Nothing is sent. */
    LOCAL_INV(7),
    /** Binds a type 2 memory window (RC, UC). Nothing is sent. */
    BIND_MW(8),
    /** As {@link #SEND}, and invalidates a remote key of the peer (RC). */
    SEND_WITH_INV(9),
    /** Sends with TCP segmentation offload. Few devices know it. */
    TSO(10),
    /** A device's private operation. */
    DRIVER1(11),
    /** Makes earlier writes visible or persistent at the peer (RC, optional). */
    FLUSH(14),
    /** Writes eight bytes atomically (RC, optional). */
    ATOMIC_WRITE(15),
    /** A number that is none of the operations known here. */
    UNKNOWN(-1);

    private static final CodeTable<WrOpcode> BY_CODE = CodeTable.of(values(), WrOpcode::code, UNKNOWN);

    private final int code;

    WrOpcode(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_wr_opcode}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds an operation by its number.
     *
     * @param code a value of {@code enum ibv_wr_opcode}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static WrOpcode of(int code) {
        return BY_CODE.find(code);
    }
}
