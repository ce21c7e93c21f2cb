/**
 * The connection manager: connects queue pairs by address and port, as librdmacm does; see rdma_cm(7).
 *
 * <p>
 * A {@link io.jverbs.cm.CmId} is what a socket is for TCP. Its methods begin a step, and a {@link
 * io.jverbs.cm.CmEvent} of its {@link io.jverbs.cm.CmEventChannel} reports how the step ended. {@link
 * io.jverbs.cm.SynchronousCmId} waits for each step instead.
 */
package io.jverbs.cm;
