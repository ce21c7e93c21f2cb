package io.jverbs.soft.truncated;

/** The end whose memory is truncated. */
enum End {
    /** The left queue pair, which posts the request. */
    REQUESTER,
    /** The right queue pair. */
    RESPONDER
}
