package io.jverbs.soft.journal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event was queued for an ID of the connection manager. */
@Name("io.jverbs.CmEvent")
@Label("CM Event")
@Description("An event was queued for an ID of the connection manager")
@Category("RDMA")
@StackTrace(false)
final class CmIdEvent extends Event {
    @Label("Device")
    @Description("The name of the RDMA device")
    String device;
    @Label("Local Address")
    @Description("The address and the port of the ID, null if it is not bound")
    String local;
    @Label("Remote Address")
    @Description("The address and the port of the peer, null if it has none")
    String remote;
    @Label("Type")
    @Description("The type of the event, as in enum rdma_cm_event_type")
    String type;
    @Label("Status")
    @Description("0, a negative errno, or a positive number whose meaning depends on the event")
    int status;
}
