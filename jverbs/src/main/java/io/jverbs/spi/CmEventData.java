package io.jverbs.spi;

import io.jverbs.AhAttributes;

/**
 * An event of the connection manager, {@code struct rdma_cm_event}; see rdma_get_cm_event(3).
 *
 * @param type the number of the event, {@code enum rdma_cm_event_type}
 * @param id the ID that the event concerns; for a connect request a new one, whose owner is null
 * @param listener the ID that listens if the event is a connect request, otherwise null
 * @param status 0, a negative errno, or a positive number whose meaning depends on the event
 * @param parameters the parameters that the peer gave; null if the event has none
 * @param address the path to a UD peer or to a multicast group; null if the event has none
 * @param context the context that was given to {@link CmIdOps#join}, or the argument that was given to {@link
 *            CmIdOps#postUserEvent}, otherwise null
 */
public record CmEventData(int type, CmIdOps id, CmIdOps listener, int status, CmParameters parameters,
        AhAttributes address, Object context) {}
