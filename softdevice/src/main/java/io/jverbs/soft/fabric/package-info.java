/**
 * The ways in which packets travel: the interfaces {@code Fabric} and {@code FabricType}, the network within a JVM,
 * ports with their GID tables, and the clock.
 */
package io.jverbs.soft.fabric;
