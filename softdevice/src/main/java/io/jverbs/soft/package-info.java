/**
 * The software device: provider, devices, contexts, and what creates and changes their objects. Dependencies point one way:
 * {@code soft} on {@code soft.simulation} (a network with its own clock) on {@code soft.fabric} (how requests travel) on {@code soft.transport} (RC, UC and UD as state machines) on
 * {@code soft.memory} (keys and copies) on {@code soft.queue} (rings and locks).
 */
package io.jverbs.soft;
