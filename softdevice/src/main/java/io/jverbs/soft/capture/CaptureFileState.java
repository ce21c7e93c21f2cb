package io.jverbs.soft.capture;

/**
 * The state of a {@link CaptureFile}.
 * <pre>
 * state       event                                  next state
 * OPENING     the header is written                  OPEN
 * OPENING     it cannot be written                   REFUSED
 * OPEN        close(), or a write fails              DETACHING
 * DETACHING   close() has detached the taps          CLOSING
 * DETACHING   a write has failed                     ENDED
 * CLOSING     the last write is done, or it fails    ENDED
 * </pre>
 */
enum CaptureFileState {
    /** The writing thread is opening it. */
    OPENING,
    /** Taps may attach. */
    OPEN,
    /** No tap may attach any more, and those attached are being detached. */
    DETACHING,
    /** No tap is attached, and what was captured is written. */
    CLOSING,
    /** It is closed. */
    ENDED,
    /** It could not be opened. */
    REFUSED
}
