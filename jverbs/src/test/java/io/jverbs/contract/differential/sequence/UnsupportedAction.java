package io.jverbs.contract.differential.sequence;

/** Actions of sequences that some devices cannot handle. */
public enum UnsupportedAction {
    /** Posts receives to a queue pair in ERR. */
    LATE_RECEIVE,
    /** Waits for sends posted in SQD without a further post. */
    RESUME,
    /** Posts requests behind one that fails when its response cannot be stored. They may be sent before that. */
    BEHIND_SINK,
    /**
     * Invalidates a window by a message, without a fence, behind a READ or atomic that uses the window and may still be
     * outstanding.
     */
    UNFENCED_INVALIDATE
}
