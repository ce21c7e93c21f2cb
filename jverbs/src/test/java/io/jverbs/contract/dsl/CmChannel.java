package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.End;
import java.net.InetSocketAddress;

/** An event channel of the connection manager of a side. */
public final class CmChannel {
    private static final long EVENT_MILLIS = 2 * Waits.deadline();

    private final Side side;
    private final int id;

    public CmChannel(Side side) {
        this.side = side;
        this.id = side.end().createCmChannel(End.MAIN);
    }

    public Side side() {
        return side;
    }

    public int id() {
        return id;
    }

    /** Creates an ID. */
    public SideCmId create(PortSpace portSpace) {
        return new SideCmId(this, side.end().createCmId(id, portSpace));
    }

    /** Creates an ID that is bound to the address of the side and any free port. */
    public SideCmId bound(PortSpace portSpace) {
        SideCmId made = create(portSpace);
        made.bind(address(0));
        return made;
    }

    /** Creates an ID that listens at the address of the side and any free port. */
    public SideCmId listening(PortSpace portSpace) {
        SideCmId made = bound(portSpace);
        made.listen(8);
        return made;
    }

    /** Returns an address of the side with a port. */
    public InetSocketAddress address(int port) {
        return new InetSocketAddress(side.gid().toInetAddress(), port);
    }

    /** Returns the wildcard address of the side's address family with a port. */
    public InetSocketAddress wildcard(int port) {
        return side.gid().isIpv4Mapped() ? new InetSocketAddress("0.0.0.0", port) : new InetSocketAddress("::", port);
    }

    /** Waits for the next event, which must be of a type. It is not acknowledged. */
    public CmEventInfo keep(CmEventType type) {
        CmEventInfo event = side.end().awaitCmEvent(id, EVENT_MILLIS);
        assertNotNull(event, () -> "no event within " + EVENT_MILLIS + " ms, expected " + type);
        assertEquals(type, event.type(), () -> "status " + event.status());
        return event;
    }

    /** Waits for the next event, which must be of a type, and acknowledges it. */
    public CmEventInfo expect(CmEventType type) {
        CmEventInfo event = keep(type);
        side.end().ackCmEvent(event.event());
        return event;
    }

    /** Waits for the next connect request, acknowledges it, and returns the new ID. */
    public SideCmId expectRequest() {
        return new SideCmId(this, expect(CmEventType.CONNECT_REQUEST).id());
    }

    /** Checks that no event occurs. */
    public void expectNothing() {
        assertNull(side.end().awaitCmEvent(id, side.quietMillis()));
    }
}
