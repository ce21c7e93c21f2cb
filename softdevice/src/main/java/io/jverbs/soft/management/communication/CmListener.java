package io.jverbs.soft.management.communication;

import java.util.function.Consumer;

/**
 * Listens for a service ID on one device.
 *
 * @param serviceId the service ID
 * @param handler is called for what happens to each new connection, with no lock held
 * @param datagramHandler is called for each SIDR_REQ, with no lock held
 */
public record CmListener(long serviceId, Consumer<CmNotice> handler, Consumer<SidrService> datagramHandler) {}
