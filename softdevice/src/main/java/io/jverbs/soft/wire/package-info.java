/**
 * RoCEv2 packets, the payloads of UDP datagrams: headers, opcodes and ICRC. The package contains no sockets, no threads
 * and no connection state.
 */
package io.jverbs.soft.wire;
