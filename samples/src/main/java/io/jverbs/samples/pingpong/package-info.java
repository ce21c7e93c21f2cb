/**
 * The ping-pong programs: a message is sent to the peer and back, a thousand times by default. Each program is a
 * command of its own. They share the options ({@link io.jverbs.samples.pingpong.Settings}), the exchange of addresses
 * over TCP ({@link io.jverbs.samples.pingpong.DestinationExchange}), the verbs objects ({@link
 * io.jverbs.samples.pingpong.Endpoint}), the loop ({@link io.jverbs.samples.pingpong.PingPong}) and the check of
 * received messages ({@link io.jverbs.samples.pingpong.ContentCheck}). Each program interoperates with the libibverbs
 * program of the same name.
 */
package io.jverbs.samples.pingpong;
