package io.jverbs;

/**
 * Access flags, {@code enum ibv_access_flags}: the operations that a memory region or window permits (ibv_reg_mr(3),
 * ibv_bind_mw(3)), and the remote operations that a queue pair permits (ibv_modify_qp(3)). A remote operation must be
 * permitted by both.
 *
 * <p>
 * Local read access is always permitted.
 */
public final class Access {
    /** The local device can write. Required for receive buffers and for the results of READ and atomic operations. */
    public static final int LOCAL_WRITE = 1;
    /** Peers can write with RDMA WRITE. A region must have {@link #LOCAL_WRITE} too. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** Peers can read with RDMA READ. */
    public static final int REMOTE_READ = 1 << 2;
    /** Peers can execute atomic operations. A region must have {@link #LOCAL_WRITE} too. */
    public static final int REMOTE_ATOMIC = 1 << 3;
    /** Memory windows can be bound to the region. */
    public static final int MW_BIND = 1 << 4;
    /** The region or window starts at address 0: addresses in requests are offsets from its start. */
    public static final int ZERO_BASED = 1 << 5;
    /** On-demand paging: the device faults pages in when it accesses them, and no memory is pinned. Optional. */
    public static final int ON_DEMAND = 1 << 6;
    /** The memory consists of huge pages. Applies to on-demand regions. */
    public static final int HUGETLB = 1 << 7;
    /** Peers can flush to global visibility. Optional. */
    public static final int FLUSH_GLOBAL = 1 << 8;
    /** Peers can flush to persistence. Optional. */
    public static final int FLUSH_PERSISTENT = 1 << 9;
    /** The device may reorder its accesses. Part of {@link #OPTIONAL_RANGE}. */
    public static final int RELAXED_ORDERING = 1 << 20;
    /** The optional access flags, bits 20 to 29. A device ignores those that it does not support. */
    public static final int OPTIONAL_RANGE = 0x3ff0_0000;

    private static final int DEFINED = (FLUSH_PERSISTENT << 1) - 1;
    private static final FlagNames NAMES = FlagNames.fromBit0("LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ",
            "REMOTE_ATOMIC", "MW_BIND", "ZERO_BASED", "ON_DEMAND", "HUGETLB", "FLUSH_GLOBAL", "FLUSH_PERSISTENT")
            .and(RELAXED_ORDERING, "RELAXED_ORDERING");

    private Access() {}

    /**
     * Returns the undefined bits of a set of access flags. They are not in {@link #OPTIONAL_RANGE}, so a device must
     * reject them with EINVAL.
     *
     * @param flags access flags
     * @return the undefined bits; 0 if there are none
     */
    public static int undefinedBits(int flags) {
        return flags & ~(DEFINED | OPTIONAL_RANGE);
    }

    /**
     * Formats access flags for diagnostic text.
     *
     * @param flags access flags
     * @return the names of the flags, joined by {@code |}, unnamed bits in hexadecimal; {@code none} for 0
     */
    public static String toString(int flags) {
        return NAMES.format(flags);
    }
}
