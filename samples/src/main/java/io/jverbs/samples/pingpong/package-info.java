/**
 * The ping-pong programs: a message goes to the peer and comes back, a thousand times. Each is a command of its own; they
 * share options ({@link io.jverbs.samples.pingpong.Settings}), the exchange of addresses over TCP
 * ({@link io.jverbs.samples.pingpong.Exchange}), the resources ({@link io.jverbs.samples.pingpong.Endpoint}), the loop
 * ({@link io.jverbs.samples.pingpong.PingPong}) and the check of what arrives
 * ({@link io.jverbs.samples.pingpong.Contents}). Each of them can play with the program of libibverbs that has its name.
 */
package io.jverbs.samples.pingpong;
