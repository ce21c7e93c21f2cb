package io.jverbs.soft.transport.local;

import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;

/**
 * Determines, when a requester within the JVM looks up its peer, whether packets of either device are captured, and if
 * so renders the packets of each request and response for the capture. Guarded by the requester's lock.
 */
public final class TapProbe {
    private final Requester requester;
    private final Port port;
    private final QpSettings settings;
    private final Message message;
    private final ServiceType service;
    /** Renders the packets; null if they are not captured. */
    private PacketRenderer renderer;
    /** The peer that executes captured requests, or null. */
    private SoftQp peer;

    /**
     * Creates a probe that has found nothing.
     *
     * @param qp the queue pair of the requester
     * @param requester the requester, which is being constructed
     * @param message its requests, one after the other
     */
    public TapProbe(SoftQp qp, Requester requester, Message message) {
        this.requester = requester;
        this.port = qp.environment().port();
        this.settings = qp.settings();
        this.message = message;
        this.service = qp.parts().service();
    }

    /**
     * The peer, if packets are not captured. Otherwise null, so that the peer is looked up again for each request, and
     * each request is rendered.
     */
    SoftQp unlessCaptured(SoftQp found) {
        probe(found);
        if (!isCapturing()) {
            return found;
        }
        peer = found;
        return null;
    }

    private void probe(SoftQp target) {
        Tap own = port.tap();
        Tap peers = target == null ? null : tapOf(target);
        if (own == null && peers == null || !port.sends(message.sourceGidHigh, message.sourceGidLow)) {
            renderer = null;
            return;
        }
        if (renderer == null) {
            renderer = new PacketRenderer(service);
        }
        renderer.between(own, peers);
    }

    private static Tap tapOf(SoftQp other) {
        return other.environment().port().tap();
    }

    /** Whether packets were captured when the peer was looked up. */
    boolean isCapturing() {
        return renderer != null;
    }

    /**
     * Renders the request, lets the peer execute it, if there is a peer, and renders the response.
     *
     * @param executed the number of messages that the peer has executed before this request
     */
    void executeCaptured(long executed) {
        renderRequest(settings.destinationQpn);
        if (peer != null) {
            requester.share(peer.responder().lock());
            peer.responder().execute(message);
            renderResponse(executed);
        }
    }

    /** Renders a request. A failure to render it does not affect its execution. */
    private void renderRequest(int qpn) {
        try {
            renderer.request(message, qpn);
        } catch (RuntimeException | Error e) {
            // the request is missing in the capture
        }
    }

    private void renderResponse(long executed) {
        try {
            renderer.response(message, executed);
        } catch (RuntimeException | Error e) {
            // the response is missing in the capture
        }
    }

    /**
     * Renders a datagram to the members of a multicast group within the JVM, if it is captured. It is rendered once,
     * for the first member whose device has a tap.
     */
    public void renderDatagram(SoftQp[] members, int qpn) {
        SoftQp target = null;
        for (int i = 0; i < members.length && target == null; i++) {
            target = tapOf(members[i]) == null ? null : members[i];
        }
        renderDatagram(target, qpn);
    }

    /** Renders a datagram to a queue pair within the JVM, or to none if the target is null, if it is captured. */
    public void renderDatagram(SoftQp target, int qpn) {
        probe(target);
        if (isCapturing()) {
            renderRequest(qpn);
        }
    }
}
