package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A request was refused. */
@Name("io.jverbs.Nak")
@Label("NAK")
@Description("A request was refused.")
final class NakEvent extends QueuePairEvent {
    @Label("Sent")
    @Description("Whether this queue pair has sent it; otherwise it has received it")
    boolean sent;
    @Label("Reason")
    String reason;
}
