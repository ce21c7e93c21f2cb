/**
 * Random traffic over a simulated network with all of its faults, held against a model. A {@link io.jverbs.soft.traffic.Script} is drawn
 * from a seed; the {@link io.jverbs.soft.traffic.World} carries it out on two devices and asks the {@link io.jverbs.soft.traffic.Flow}s,
 * each of which knows what one direction of one connection owes, about every completion and, at the end, about every byte. What
 * fails is shrunk to the steps that it takes.
 */
package io.jverbs.soft.traffic;
