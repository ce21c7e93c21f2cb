package io.jverbs;

/**
 * The sizes of a queue pair, {@code struct ibv_qp_cap}; see ibv_create_qp(3). A device may grant more than was asked
 * for, never less.
 *
 * @param maxSendWr how many send requests may be outstanding
 * @param maxRecvWr how many receive requests may be outstanding; 0 with a shared receive queue
 * @param maxSendSge how many scatter/gather elements a send request may have
 * @param maxRecvSge how many scatter/gather elements a receive request may have
 * @param maxInlineData how many bytes a request with {@link SendFlags#INLINE} may carry
 */
public record QpCapabilities(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {}
