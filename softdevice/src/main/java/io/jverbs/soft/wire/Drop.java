package io.jverbs.soft.wire;

/** Why a packet is not a packet of ours, in the order in which it is found out. */
public enum Drop {
    /** It is one. */
    NONE,
    /** Too short for a BTH and an ICRC. */
    TOO_SHORT,
    /** Longer than any packet. */
    TOO_LONG,
    /** A transport header of another version than 0. */
    VERSION,
    /** For queue pair 0, which RoCE does not have. */
    QUEUE_PAIR_0,
    /** Of a transport that the device does not have. */
    TRANSPORT,
    /**
     * An opcode that is reserved, or that the device does not have, in a transport that it has: RC answers with a NAK.
     */
    OPCODE,
    /** Its headers, payload and pad are not what its length and opcode say. */
    LENGTH,
    /** Its ICRC says that it was damaged. */
    ICRC
}
