package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A queue pair sent or received a NAK. */
@Name("io.jverbs.Nak")
@Label("NAK")
@Description("A queue pair sent or received a negative acknowledgement (NAK)")
final class NakEvent extends QueuePairEvent {
    @Label("Sent")
    @Description("True if this queue pair sent the NAK, false if it received it")
    boolean sent;
    @Label("Reason")
    @Description("The name of the counter that counts this kind of NAK")
    String reason;
}
