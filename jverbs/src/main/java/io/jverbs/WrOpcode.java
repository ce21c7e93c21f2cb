package io.jverbs;

/**
 * The operation of a send work request; see ibv_post_send(3). The queue pair types that support an operation are given
 * in parentheses.
 */
public enum WrOpcode {
    /** Writes local memory to remote memory (RC, UC). The peer gets no completion. */
    RDMA_WRITE(0),
    /**
     * Like {@link #RDMA_WRITE}, and consumes a receive request of the peer, which gets 4 bytes of immediate data (RC,
     * UC).
     */
    RDMA_WRITE_WITH_IMM(1),
    /** Sends a message to a receive request that the peer posted (RC, UC, UD). */
    SEND(2),
    /** Like {@link #SEND}, with 4 bytes of immediate data (RC, UC, UD). */
    SEND_WITH_IMM(3),
    /** Reads remote memory into local memory (RC). */
    RDMA_READ(4),
    /** Replaces a remote 64-bit word if it has the expected value, and returns its original value (RC). */
    ATOMIC_CMP_AND_SWP(5),
    /** Adds to a remote 64-bit word, and returns its original value (RC). */
    ATOMIC_FETCH_AND_ADD(6),
    /** Invalidates a local key, for example that of a type 2 memory window (RC, UC). Sends no packet. */
    LOCAL_INV(7),
    /** Binds a type 2 memory window (RC, UC). Sends no packet. */
    BIND_MW(8),
    /** Like {@link #SEND}, and invalidates a remote key of the peer (RC). */
    SEND_WITH_INV(9),
    /** Sends with TCP segmentation offload. Few devices support it. */
    TSO(10),
    /** An operation private to the driver. */
    DRIVER1(11),
    /** Makes earlier writes visible or persistent at the peer (RC, optional). */
    FLUSH(14),
    /** Writes 8 bytes atomically (RC, optional). */
    ATOMIC_WRITE(15),
    /** Any other value. */
    UNKNOWN(-1);

    /**
     * The last of the plain operations, which start at 0: they name only the objects of their elements, and an address
     * handle if they are datagrams.
     */
    static final int LAST_PLAIN = ATOMIC_FETCH_AND_ADD.code;

    private static final CodeTable<WrOpcode> BY_CODE = CodeTable.of(values(), WrOpcode::code, UNKNOWN);

    private final int code;

    WrOpcode(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_wr_opcode}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_wr_opcode}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static WrOpcode of(int code) {
        return BY_CODE.find(code);
    }

    /** Returns the name of a value of {@code enum ibv_wr_opcode}, or its number if it has no constant. */
    static String toString(int code) {
        WrOpcode opcode = of(code);
        return opcode == UNKNOWN ? "opcode " + code : opcode.name();
    }
}
