/**
 * What the parts of the transport exchange and agree on: messages, opcodes, PSN arithmetic, queue pair states,
 * counters, timers, and taps.
 */
package io.jverbs.soft.protocol;
