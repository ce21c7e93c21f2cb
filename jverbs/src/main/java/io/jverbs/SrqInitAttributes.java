package io.jverbs;

/**
 * The attributes of a shared receive queue to create, {@code struct ibv_srq_init_attr}; see ibv_create_srq(3).
 * Immutable. Ranges are checked when the queue is created; {@link DeviceAttributes#maxSrqWr()} and {@link
 * DeviceAttributes#maxSrqSge()} are the limits of the device.
 *
 * @param maxWr the minimum number of outstanding receive requests that the queue must support; the device can grant
 *         more
 * @param maxSge the minimum number of scatter/gather elements of a request that the queue must support
 * @param limit the limit. ibv_create_srq(3) ignores it, the software device arms it. Set it to 0, and arm the limit
 *         with {@link SrqModification#ofLimit(int)}
 * @param userContext an object that {@link SharedReceiveQueue#userContext()} returns; may be null
 */
public record SrqInitAttributes(int maxWr, int maxSge, int limit, Object userContext) {

    /**
     * Returns attributes without a limit and a user context.
     *
     * @param maxWr the minimum number of outstanding receive requests that the queue must support
     * @param maxSge the minimum number of scatter/gather elements of a request that the queue must support
     * @return the attributes
     */
    public static SrqInitAttributes of(int maxWr, int maxSge) {
        return new SrqInitAttributes(maxWr, maxSge, 0, null);
    }

    /**
     * Returns these attributes with another user context.
     *
     * @param context an object that the queue returns; null for none
     * @return the changed attributes
     */
    public SrqInitAttributes withUserContext(Object context) {
        return new SrqInitAttributes(maxWr, maxSge, limit, context);
    }
}
