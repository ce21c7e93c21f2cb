package io.jverbs.samples.perftest;

/**
 * So many messages of one size, sent with the same queue pairs as those before.
 *
 * @param size their length in bytes
 * @param iterations how many each sender sends
 * @param shown whether it counts; otherwise it is there to warm up
 */
record Round(int size, int iterations, boolean shown) {}
