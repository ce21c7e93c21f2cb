package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Work requests completed in error. */
@Name("io.jverbs.CompletionError")
@Label("Completion in Error")
@Description("Work requests completed with a status other than SUCCESS")
final class CompletionErrorEvent extends QueuePairEvent {
    @Label("WR ID")
    @Description("The work request ID of the first request")
    long wrId;
    @Label("Count")
    @Description("The number of work requests; greater than 1 if queued requests were flushed together")
    int count;
    @Label("Receive")
    @Description("True for receive requests, false for send requests")
    boolean receive;
    @Label("Status")
    @Description("The completion status, as in enum ibv_wc_status")
    String status;
    @Label("Explanation")
    @Description("What the status means and what to check")
    String explanation;
}
