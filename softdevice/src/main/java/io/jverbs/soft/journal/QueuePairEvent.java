package io.jverbs.soft.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** The base class of the events: each is about one queue pair. */
@Category("RDMA")
@StackTrace(false)
abstract class QueuePairEvent extends Event {
    @Label("Device")
    @Description("The name of the RDMA device")
    String device;
    @Label("Queue Pair")
    @Description("The number of the queue pair")
    int queuePair;
    @Label("Peer")
    @Description("The number of the connected remote queue pair, 0 if there is none")
    int peer;

    final void setSubject(Subject subject) {
        device = subject.device();
        queuePair = subject.number();
        peer = subject.peerNumber();
    }
}
