package io.jverbs.control;

/**
 * What has happened in the queue of a simulated switch for the link to one device, since the network started. Lengths
 * include IP headers. Immutable.
 *
 * @param packets how many packets have arrived at the queue
 * @param dropped how many of them found no room
 * @param marked how many of them got the mark of congestion (CE of ECN)
 * @param longest the greatest length of the queue in bytes
 * @param mean the mean of the lengths of the queue, in bytes, that packets have found
 */
public record SimulatedQueue(long packets, long dropped, long marked, long longest, long mean) {}
