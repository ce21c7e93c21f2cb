package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A requester retransmits packets. */
@Name("io.jverbs.Retransmission")
@Label("Retransmission")
@Description("A requester goes back to an earlier PSN and retransmits from there")
final class RetransmissionEvent extends QueuePairEvent {
    @Label("Reason")
    @Description("Why the packets are retransmitted")
    String reason;
    @Label("From PSN")
    @Description("The packet sequence number of the first packet that is retransmitted")
    int psn;
    @Label("Retries Left")
    @Description("The number of retries that remain; retry_cnt is the number allowed")
    int retriesLeft;
}
