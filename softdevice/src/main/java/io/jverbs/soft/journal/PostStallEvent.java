package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A post failed with ENOMEM because the send queue is full. Recorded at most once per millisecond and queue pair. */
@Name("io.jverbs.PostStall")
@Label("Post Stall")
@Description("A post failed because the send queue is full. Recorded at most once per millisecond and queue pair.")
@StackTrace
final class PostStallEvent extends QueuePairEvent {
    @Label("Queued")
    @Description("The number of send queue slots in use")
    int queued;
    @Label("Oldest WR ID")
    @Description("The ID of the work request whose completion must be polled first, or else of the oldest outstanding"
            + " one; 0 if there is neither")
    long oldestWrId;
    @Label("Reason")
    @Description("What this work request waits for")
    String reason;
}
