package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.Infos.CqEvent;

/** Completion events and asynchronous events. */
public interface EventCommands {

    /**
     * Waits for the next completion event. Returns null on timeout. Acknowledge it with
     * {@link QueueCommands#ackCqEvents}.
     */
    CqEvent awaitCqEvent(int channel, long millis);

    /** Waits for the next asynchronous event of a context. Returns null on timeout. A timeout of 0 only polls. */
    AsyncInfo awaitAsyncEvent(int context, long millis);

    void ackAsyncEvent(int event);
}
