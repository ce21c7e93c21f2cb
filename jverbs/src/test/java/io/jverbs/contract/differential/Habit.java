package io.jverbs.contract.differential;

/** Things that sequences do and that a device may need to be spared. */
enum Habit {
    /** Receives are posted to a queue pair in ERR. */
    LATE_RECEIVE,
    /** Sends posted in SQD are waited for without a further post. */
    RESUME
}
