package io.jverbs;

/** The flags of send work requests, {@code enum ibv_send_flags}; see ibv_post_send(3). */
public final class SendFlags {
    /** Start this request only after all earlier READ and atomic operations of the queue pair have completed (RC). */
    public static final int FENCE = 1;
    /** Generate a completion if the request succeeds. A request that fails always generates a completion. */
    public static final int SIGNALED = 1 << 1;
    /**
     * Make the receive completion of the peer a solicited event (all SEND operations, RDMA WRITE with immediate data);
     * see {@link CompletionQueue#requestNotification}.
     */
    public static final int SOLICITED = 1 << 2;
    /**
     * Copy the payload during the post (all SEND and RDMA WRITE operations). The memory does not have to be registered,
     * and can be reused when the post returns.
     */
    public static final int INLINE = 1 << 3;
    /** Let the device compute the IP and TCP or UDP checksums of the payload. Optional. */
    public static final int IP_CSUM = 1 << 4;

    private static final FlagNames NAMES = FlagNames.fromBit0("FENCE", "SIGNALED", "SOLICITED", "INLINE", "IP_CSUM");

    private SendFlags() {}

    /**
     * Formats send flags for diagnostic text.
     *
     * @param flags send flags
     * @return the names of the flags, joined by {@code |}, unnamed bits in hexadecimal; {@code none} for 0
     */
    public static String toString(int flags) {
        return NAMES.format(flags);
    }
}
