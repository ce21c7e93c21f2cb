package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A post was refused, as the send queue is full; told once in a millisecond at the most. */
@Name("io.jverbs.PostStall")
@Label("Post Stall")
@Description("A post was refused, as the send queue is full; told once in a millisecond at the most.")
@StackTrace
final class PostStallEvent extends QueuePairEvent {
    @Label("Queued")
    @Description("How many requests the queue has")
    int queued;
    @Label("Oldest WR ID")
    long oldestWrId;
    @Label("Reason")
    @Description("What the oldest request waits for")
    String reason;
}
