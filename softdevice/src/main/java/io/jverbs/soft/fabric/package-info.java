/**
 * The ways in which packets travel: the interface {@code Fabric}, the network within a JVM, ports with their GID
 * tables, and the clock.
 */
package io.jverbs.soft.fabric;
