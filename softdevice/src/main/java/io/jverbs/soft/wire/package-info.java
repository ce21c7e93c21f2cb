/**
 * RoCEv2 packets, the payload of UDP datagrams: their headers, their opcodes and their ICRC. Knows no socket, no thread
 * and no state.
 */
package io.jverbs.soft.wire;
