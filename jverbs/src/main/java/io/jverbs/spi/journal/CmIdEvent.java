package io.jverbs.spi.journal;

import io.jverbs.cm.CmEventType;
import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * An event of an ID of the connection manager. The software device records it when it queues the event, the native
 * device when a program retrieves it. The class is loaded only when Java Flight Recorder is in use.
 */
@Name("io.jverbs.CmEvent")
@Label("CM Event")
@Description("An event of an ID of the connection manager: queued by a software device, retrieved on a native one")
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

    /** Creates and commits the event. */
    static void record(String device, InetSocketAddress local, InetSocketAddress remote, int type, int status) {
        CmIdEvent event = new CmIdEvent();
        if (event.shouldCommit()) {
            event.device = device;
            event.local = text(local);
            event.remote = text(remote);
            event.type = CmEventType.of(type).toString();
            event.status = status;
            event.commit();
        }
    }

    private static String text(InetSocketAddress address) {
        return address == null ? null : address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
