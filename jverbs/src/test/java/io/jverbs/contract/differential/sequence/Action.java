package io.jverbs.contract.differential.sequence;

import java.util.List;

/** One action of a step. The actions of a step run in order. */
public sealed interface Action {

    /** Posts a list of receives to the queue pair, or to its shared receive queue. */
    record Receive(Peer peer, List<List<Part>> requests) implements Action {}

    /** Posts a chain of sends without waiting. */
    record Post(Peer peer, List<Send> chain) implements Action {}

    /** Waits until all requests posted to queue pairs in RTS have completed. */
    record Await() implements Action {}

    /**
     * Brings both queue pairs from RESET to RTS.
     *
     * @param anew whether to replace the queue pairs with new ones
     * @param mtuA path MTU code of A
     * @param mtuB path MTU code of B
     */
    record Connect(boolean anew, int mtuA, int mtuB) implements Action {}

    /** Makes one control path call. Its errno is part of the outcome. */
    record Control(Peer peer, Command command) implements Action {}
}
