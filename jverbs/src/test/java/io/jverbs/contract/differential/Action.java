package io.jverbs.contract.differential;

import java.util.List;

/** What a step does, one after the other. */
sealed interface Action {

    /** Posts a list of receives to the queue pair or its shared receive queue. */
    record Receive(Peer peer, List<List<Part>> requests) implements Action {}

    /** Posts a chain of sends; does not wait. */
    record Post(Peer peer, List<Send> chain) implements Action {}

    /** Waits until all that was posted to queue pairs in RTS has its outcome. */
    record Await() implements Action {}

    /**
     * Brings both queue pairs to RTS from RESET.
     *
     * @param anew as new queue pairs
     * @param mtuA path MTU of A, as a code
     */
    record Connect(boolean anew, int mtuA, int mtuB) implements Action {}

    /** One call of the control path; its errno is an outcome. */
    record Control(Peer peer, Command command) implements Action {}
}
