package io.jverbs.bench.process;

/**
 * The addresses of the two processes.
 *
 * @param own the address of this process
 * @param other the address of the other process
 * @param measures whether this process measures
 */
public record Sides(String own, String other, boolean measures) {}
