/**
 * What programs that run as server and client share: device lookup, the local address, options, and the connection
 * between both sides, over TCP or rdma_cm.
 */
package io.jverbs.samples.connect;
