package io.jverbs.soft.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** What happened to a queue pair. */
@Category("RDMA")
@StackTrace(false)
abstract class QueuePairEvent extends Event {
    @Label("Device")
    String device;
    @Label("Queue Pair")
    @Description("Its number")
    int queuePair;
    @Label("Peer")
    @Description("The number of the queue pair that it is connected to, 0 if it is not")
    int peer;

    final void of(Subject subject) {
        device = subject.device();
        queuePair = subject.number();
        peer = subject.peerNumber();
    }
}
