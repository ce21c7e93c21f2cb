package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A requester goes back and sends again. */
@Name("io.jverbs.Retransmission")
@Label("Retransmission")
@Description("A requester goes back and sends again.")
final class RetransmissionEvent extends QueuePairEvent {
    @Label("Reason")
    String reason;
    @Label("From PSN")
    int psn;
    @Label("Retries Left")
    int retriesLeft;
}
