package io.jverbs.soft.wire;

/** The reasons to drop a received datagram, in the order in which they are checked. */
public enum DropReason {
    /** No reason: the datagram is a valid packet. */
    NONE,
    /** The datagram is too short for a BTH and an ICRC. */
    TOO_SHORT,
    /** The datagram is longer than any packet. */
    TOO_LONG,
    /** The version of the transport header is not 0. */
    VERSION,
    /** The destination is queue pair 0, which RoCE does not have. */
    QUEUE_PAIR_0,
    /** The device does not support the transport. */
    TRANSPORT,
    /** The device supports the transport, but the opcode is reserved or not supported. An RC responder sends a NAK. */
    OPCODE,
    /** The lengths of headers, payload and pad do not match the length of the datagram and the opcode. */
    LENGTH,
    /** The ICRC does not match: the packet was damaged. */
    ICRC
}
