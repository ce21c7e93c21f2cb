/**
 * The connection manager, as {@code rdma_cm} of Linux: CM IDs with their ports, channels and events, on top of {@link
 * io.jverbs.soft.management.communication}; and QP1, on which management datagrams travel.
 */
package io.jverbs.soft.management;
