package io.jverbs;

/** The flags of completions, {@code enum ibv_wc_flags}; see ibv_poll_cq(3). Valid only if the request succeeded. */
public final class WcFlags {
    /** The first 40 bytes of the receive buffer hold the global route header (UD), or the packet had one. */
    public static final int GRH = 1;
    /** The completion has immediate data. */
    public static final int WITH_IMM = 1 << 1;
    /** The device verified the IP and TCP or UDP checksums of the payload. */
    public static final int IP_CSUM_OK = 1 << 2;
    /** The completion has the remote key that a SEND with invalidation of the peer invalidated. */
    public static final int WITH_INV = 1 << 3;

    private static final FlagNames NAMES = FlagNames.fromBit0("GRH", "WITH_IMM", "IP_CSUM_OK", "WITH_INV");

    private WcFlags() {}

    /**
     * Formats completion flags for diagnostic text.
     *
     * @param flags completion flags
     * @return the names of the flags, joined by {@code |}, unnamed bits in hexadecimal; {@code none} for 0
     */
    public static String toString(int flags) {
        return NAMES.format(flags);
    }
}
