package io.jverbs.control;

/** A message of the connection manager; see section 12.6 of the InfiniBand Architecture Specification. */
public enum CmMessage {
    /** Request for communication. */
    REQ(0x10),
    /** Message receipt acknowledgement. */
    MRA(0x11),
    /** Reject. */
    REJ(0x12),
    /** Reply to a request for communication. */
    REP(0x13),
    /** Ready to use. */
    RTU(0x14),
    /** Request for communication release. */
    DREQ(0x15),
    /** Reply to a request for communication release. */
    DREP(0x16),
    /** Service ID resolution request. */
    SIDR_REQ(0x17),
    /** Service ID resolution response. */
    SIDR_REP(0x18);

    private final int code;

    CmMessage(int code) {
        this.code = code;
    }

    /** {@return the attribute ID of the message} */
    public int code() {
        return code;
    }
}
