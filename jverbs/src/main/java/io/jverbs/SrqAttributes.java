package io.jverbs;

/**
 * The present attributes of a shared receive queue, {@code struct ibv_srq_attr}; see ibv_query_srq(3). Immutable.
 *
 * @param maxWr the maximum number of outstanding receive requests
 * @param maxSge the maximum number of scatter/gather elements of a request
 * @param limit the number of requests below which {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised; 0 if disarmed
 */
public record SrqAttributes(int maxWr, int maxSge, int limit) {}
