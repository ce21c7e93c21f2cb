package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A requester waits, as its peer has no receive request. */
@Name("io.jverbs.RnrWait")
@Label("RNR Wait")
@Description("A requester waits, as its peer has no receive request.")
final class RnrWaitEvent extends QueuePairEvent {
    @Label("Wait")
    @Description("How long it waits before it sends again")
    @Timespan(Timespan.NANOSECONDS)
    long wait;
    @Label("Retries Left")
    @Description("7 is without end")
    int retriesLeft;
}
