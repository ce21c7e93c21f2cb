package io.jverbs.bench.wire;

/**
 * The two processes.
 *
 * @param own the address of this one
 * @param other the address of the other one
 * @param measures whether this one measures
 */
record Sides(String own, String other, boolean measures) {}
