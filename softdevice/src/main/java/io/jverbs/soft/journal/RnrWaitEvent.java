package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A requester waits after an RNR NAK: the peer has no receive request posted. */
@Name("io.jverbs.RnrWait")
@Label("RNR Wait")
@Description("A requester waits because its peer has no receive request posted (receiver not ready)")
final class RnrWaitEvent extends QueuePairEvent {
    @Label("Wait")
    @Description("The time until the requester retransmits")
    @Timespan(Timespan.NANOSECONDS)
    long wait;
    @Label("Retries Left")
    @Description("The number of RNR retries that remain; 7 means unlimited")
    int retriesLeft;
}
