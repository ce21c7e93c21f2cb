package io.jverbs.soft.management.message;

/** Which message a REJ or an MRA responds to, 2 bits. */
public enum CmMessageType {
    /** A REQ. */
    REQ,
    /** A REP. */
    REP,
    /** Neither; in an MRA, a LAP. */
    OTHER;

    static CmMessageType of(long code) {
        return code == 0 ? REQ : code == 1 ? REP : OTHER;
    }
}
