package io.jverbs.rsocket.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A channel has chosen between RDMA and TCP. */
@Name("io.jverbs.SocketTransport")
@Label("Socket Transport")
@Description("A channel of a socket has chosen between RDMA and TCP")
@Category("RDMA")
@StackTrace(false)
final class TransportEvent extends Event {
    @Label("Address")
    @Description("The address and the port that the channel connects to, or listens at")
    String address;
    @Label("Listens")
    @Description("True if the channel listens, false if it connects")
    boolean listens;
    @Label("Transport")
    @Description("RDMA, TCP, or BOTH if the channel listens by both")
    String transport;
    @Label("Rule")
    @Description("The rule of the provider, as in the system property jverbs.nio.rdma")
    String rule;
    @Label("Failure")
    @Description("Why RDMA, which the rule permits, cannot be used; null if the rule alone has decided")
    String failure;
}
