package io.jverbs;

/**
 * The sizes of a queue pair, {@code struct ibv_qp_cap}; see ibv_create_qp(3). A device grants at least the requested
 * sizes. Immutable.
 *
 * @param maxSendWr the maximum number of outstanding send requests
 * @param maxRecvWr the maximum number of outstanding receive requests; 0 with a shared receive queue
 * @param maxSendSge the maximum number of scatter/gather elements of a send request
 * @param maxRecvSge the maximum number of scatter/gather elements of a receive request
 * @param maxInlineData the maximum number of bytes of a request with {@link SendFlags#INLINE}
 */
public record QpCapabilities(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {}
