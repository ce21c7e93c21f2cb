package io.jverbs.soft.management.communication;

/**
 * The queue pair of the peer, as the peer's device identifies it.
 *
 * @param qpn its number, 24 bits
 * @param caGuid the GUID of its device
 */
record CmPeer(int qpn, long caGuid) {}
