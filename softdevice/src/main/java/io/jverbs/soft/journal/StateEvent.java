package io.jverbs.soft.journal;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A queue pair has changed its state. */
@Name("io.jverbs.QueuePairState")
@Label("Queue Pair State")
@Description("A queue pair has changed its state.")
final class StateEvent extends QueuePairEvent {
    @Label("From")
    String from;
    @Label("To")
    String to;
    @Label("By Itself")
    @Description("Because of an error; otherwise the program has asked for it")
    boolean byItself;
}
