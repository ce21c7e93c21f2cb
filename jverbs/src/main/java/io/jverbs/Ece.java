package io.jverbs;

/**
 * The options of enhanced connection establishment, {@code struct ibv_ece}: what a vendor's devices agree on. See
 * ibv_query_ece(3) and rdma_set_local_ece(3).
 *
 * @param vendorId the vendor, 24 bits; 0 for none
 * @param options the vendor's options, 32 bits
 */
public record Ece(int vendorId, int options) {
    /** No options. */
    public static final Ece NONE = new Ece(0, 0);
    private static final int MAX_VENDOR_ID = 0xFF_FFFF;

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if the vendor has more than 24 bits
     */
    public Ece {
        if (vendorId < 0 || vendorId > MAX_VENDOR_ID) {
            throw new IllegalArgumentException("vendorId " + vendorId + " is outside 0.." + MAX_VENDOR_ID);
        }
    }
}
