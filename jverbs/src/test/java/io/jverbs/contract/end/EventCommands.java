package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.Infos.CqEvent;

/** Completion events and asynchronous events. */
public interface EventCommands {

    /** The next completion event, null when the time is over. Acknowledge with {@link QueueCommands#ackCqEvents}. */
    CqEvent awaitCqEvent(int channel, long millis);

    /** The next asynchronous event of a context, null when the time is over. 0 polls. */
    AsyncInfo awaitAsyncEvent(int context, long millis);

    void ackAsyncEvent(int event);
}
