package io.jverbs.soft.management.message;

/**
 * Enhanced connection establishment: the options that two devices of one vendor agree on.
 *
 * @param vendorId the vendor, 24 bits, 0 for none
 * @param options the options, 32 bits, in the attribute modifier
 */
public record Ece(int vendorId, int options) {
    /** No options. */
    public static final Ece NONE = new Ece(0, 0);
}
