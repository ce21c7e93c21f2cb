package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Requests have ended otherwise than well. */
@Name("io.jverbs.CompletionError")
@Label("Completion in Error")
@Description("Requests have ended otherwise than well.")
final class CompletionErrorEvent extends QueuePairEvent {
    @Label("WR ID")
    @Description("Of the first of them")
    long wrId;
    @Label("Count")
    @Description("How many requests")
    int count;
    @Label("Receive")
    @Description("Whether they are receive requests; otherwise send requests")
    boolean receive;
    @Label("Status")
    String status;
    @Label("Explanation")
    String explanation;
}
