package io.jverbs;

/**
 * The present attributes of a shared receive queue, {@code struct ibv_srq_attr}; see ibv_query_srq(3).
 *
 * @param maxWr how many receive requests may be outstanding
 * @param maxSge how many scatter/gather elements a request may have
 * @param limit the number of requests below which {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised; 0 when disarmed
 */
public record SrqAttributes(int maxWr, int maxSge, int limit) {}
