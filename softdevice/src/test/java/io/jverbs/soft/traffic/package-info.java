/**
 * Random traffic over a simulated network with all of its faults, compared with a model. A seed determines a
 * {@link io.jverbs.soft.traffic.Script}. The {@link io.jverbs.soft.traffic.ScriptRunner} executes it on two devices.
 * For each direction of each connection, a {@link io.jverbs.soft.traffic.Flow} checks every completion and, at the end,
 * every byte of memory. A script that fails is shrunk to the steps that are needed to make it fail.
 */
package io.jverbs.soft.traffic;
