/**
 * Communication management, as {@code ib_cm} of Linux: connections and the resolution of services by messages between
 * {@link io.jverbs.soft.management.communication.CmAgent agents}. It does not depend on sockets, a clock or programs.
 * See chapter 12 of the InfiniBand Architecture Specification.
 */
package io.jverbs.soft.management.communication;
