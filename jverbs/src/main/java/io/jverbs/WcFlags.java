package io.jverbs;

/** Flags of a completion, as bits of an int; see ibv_poll_cq(3). Defined only when the request succeeded. */
public final class WcFlags {
    /** The first 40 bytes of the receive buffer hold a global route header (UD), or the packet had one. */
    public static final int GRH = 1;
    /** The completion has immediate data. */
    public static final int WITH_IMM = 1 << 1;
    /** The device found the IP and TCP or UDP checksums of the payload right. */
    public static final int IP_CSUM_OK = 1 << 2;
    /** The completion has a key that the peer's SEND with invalidation made invalid. */
    public static final int WITH_INV = 1 << 3;

    private static final FlagNames NAMES = FlagNames.fromBit0("GRH", "WITH_IMM", "IP_CSUM_OK", "WITH_INV");

    private WcFlags() {}

    /**
     * Prints completion flags for people.
     *
     * @param flags completion flags
     * @return their names, joined by {@code |}; bits without a name in hex; {@code none} for 0
     */
    public static String toString(int flags) {
        return NAMES.format(flags);
    }
}
