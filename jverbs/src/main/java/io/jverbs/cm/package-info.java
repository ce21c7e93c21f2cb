/**
 * The connection manager: connects queue pairs by address and port, as librdmacm does; see rdma_cm(7).
 *
 * <p>
 * A {@link io.jverbs.cm.CmId} is what a socket is for TCP. Its methods begin a step, and a {@link
 * io.jverbs.cm.CmEvent} of its {@link io.jverbs.cm.CmEventChannel} reports how the step ended. {@link
 * io.jverbs.cm.SynchronousCmId} waits for each step instead. {@link io.jverbs.cm.CmId} has an example of a client; this
 * is a server:
 *
 * {@snippet :
 * CmEventChannel channel = CmEventChannel.create(context);
 * CmId listener = channel.createId(PortSpace.TCP);
 * listener.bind(new InetSocketAddress(7471));
 * listener.listen(8);
 * try (CmEvent request = channel.awaitEvent()) {
 *     request.id().createQueuePair(pd, attributes);
 *     request.id().accept(ConnectionParameters.DEFAULT);
 * }
 * channel.awaitEvent().close(); // ESTABLISHED
 * }
 */
package io.jverbs.cm;
