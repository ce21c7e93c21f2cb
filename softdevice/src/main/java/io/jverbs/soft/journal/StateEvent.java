package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A queue pair changed its state. */
@Name("io.jverbs.QueuePairState")
@Label("Queue Pair State")
@Description("A queue pair changed its state")
final class StateEvent extends QueuePairEvent {
    @Label("From")
    @Description("The previous state")
    String from;
    @Label("To")
    @Description("The new state")
    String to;
    @Label("Caused by Error")
    @Description("True if an error caused the change, false if the program requested it")
    boolean byItself;
}
