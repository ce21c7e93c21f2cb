package io.jverbs.soft.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One half of a connection of the connection manager changed its state. */
@Name("io.jverbs.ConnectionState")
@Label("Connection State")
@Description("One half of a connection of the connection manager changed its state")
@Category("RDMA")
@StackTrace(false)
final class ConnectionStateEvent extends Event {
    @Label("Device")
    @Description("The name of the RDMA device")
    String device;
    @Label("Communication ID")
    @Description("The communication ID of this half of the connection")
    int communicationId;
    @Label("Remote Communication ID")
    @Description("The communication ID of the peer, 0 if it is not known yet")
    int remoteCommunicationId;
    @Label("Input")
    @Description("The message or the call that caused the change")
    String input;
    @Label("From")
    @Description("The previous state, as in enum ib_cm_state of Linux")
    String from;
    @Label("To")
    @Description("The new state")
    String to;
}
