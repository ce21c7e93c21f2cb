package io.jverbs;

/** Flags of a send work request, as bits of an int; see ibv_post_send(3). */
public final class SendFlags {
    /** Start only when all earlier READ and atomic operations of the queue pair are complete (RC). */
    public static final int FENCE = 1;
    /** Report success with a completion. Requests that fail are always reported. */
    public static final int SIGNALED = 1 << 1;
    /** The peer's receive completion is a solicited event (SEND of all kinds, RDMA WRITE with immediate data). */
    public static final int SOLICITED = 1 << 2;
    /** Copy the payload during the call; no memory region is needed (SEND and RDMA WRITE of all kinds). */
    public static final int INLINE = 1 << 3;
    /** Let the device compute IP and TCP or UDP checksums of the payload. Optional. */
    public static final int IP_CSUM = 1 << 4;

    private static final FlagNames NAMES = FlagNames.fromBit0("FENCE", "SIGNALED", "SOLICITED", "INLINE", "IP_CSUM");

    private SendFlags() {}

    /**
     * Prints send flags for people.
     *
     * @param flags send flags
     * @return their names, joined by {@code |}; bits without a name in hex; {@code none} for 0
     */
    public static String toString(int flags) {
        return NAMES.format(flags);
    }
}
