package io.jverbs;

/**
 * Access rights, as bits of an int: what a memory region or window permits (ibv_reg_mr(3), ibv_bind_mw(3)), and which
 * remote operations a queue pair serves (ibv_modify_qp(3)). A remote operation needs the right of both.
 *
 * <p>
 * Reading by the local side is always permitted.
 */
public final class Access {
    /** The device may write: needed for receives and for the results of READ and atomic operations. */
    public static final int LOCAL_WRITE = 1;
    /** Peers may write with RDMA WRITE. A region needs {@link #LOCAL_WRITE} too. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** Peers may read with RDMA READ. */
    public static final int REMOTE_READ = 1 << 2;
    /** Peers may use atomic operations. A region needs {@link #LOCAL_WRITE} too. */
    public static final int REMOTE_ATOMIC = 1 << 3;
    /** Memory windows may be bound to the region. */
    public static final int MW_BIND = 1 << 4;
    /** Addresses are offsets from the start of the region or window, which is address 0. */
    public static final int ZERO_BASED = 1 << 5;
    /** The device faults pages in on demand; nothing is pinned. Optional. */
    public static final int ON_DEMAND = 1 << 6;
    /** The memory is in huge pages. A hint for on-demand regions. */
    public static final int HUGETLB = 1 << 7;
    /** Peers may flush to global visibility. Optional. */
    public static final int FLUSH_GLOBAL = 1 << 8;
    /** Peers may flush to persistence. Optional. */
    public static final int FLUSH_PERSISTENT = 1 << 9;
    /** The device may reorder its accesses. One of the bits that a device ignores if it does not know them. */
    public static final int RELAXED_ORDERING = 1 << 20;
    /** Bits 20 to 29: a device ignores those that it does not know. */
    public static final int OPTIONAL_RANGE = 0x3ff0_0000;

    private static final int DEFINED = (FLUSH_PERSISTENT << 1) - 1;
    private static final FlagNames NAMES = FlagNames.fromBit0("LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ",
            "REMOTE_ATOMIC", "MW_BIND", "ZERO_BASED", "ON_DEMAND", "HUGETLB", "FLUSH_GLOBAL", "FLUSH_PERSISTENT")
            .and(RELAXED_ORDERING, "RELAXED_ORDERING");

    private Access() {}

    /**
     * Finds the bits that no device may accept: they mean nothing, and are not in {@link #OPTIONAL_RANGE}.
     *
     * @param flags access rights
     * @return those of the bits that must be refused with EINVAL; 0 if all is well
     */
    public static int undefinedBits(int flags) {
        return flags & ~(DEFINED | OPTIONAL_RANGE);
    }

    /**
     * Prints access rights for people.
     *
     * @param flags access rights
     * @return their names, joined by {@code |}; bits without a name in hex; {@code none} for 0
     */
    public static String toString(int flags) {
        return NAMES.format(flags);
    }
}
