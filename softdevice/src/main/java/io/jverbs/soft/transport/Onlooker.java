package io.jverbs.soft.transport;

/**
 * Finds out, when a requester within the JVM looks for its peer, whether anybody looks at packets between the two, and if so shows
 * them. Guarded by the requester's lock.
 */
final class Onlooker {
    private final Requester requester;
    private final Port port;
    private final Settings settings;
    private final Message message;
    private Rendering rendering;
    /** Who gets the requests that are shown. */
    private SoftQp peer;

    Onlooker(Requester requester, Port port, Settings settings, Message message) {
        this.requester = requester;
        this.port = port;
        this.settings = settings;
        this.message = message;
    }

    /** The peer as it is if nobody looks; otherwise null, so that it is looked for anew each time, and each request is shown. */
    SoftQp unseen(SoftQp found) {
        look(found);
        if (rendering == null) {
            return found;
        }
        peer = found;
        return null;
    }

    private void look(SoftQp target) {
        Tap own = port.tap();
        Tap theirs = target == null ? null : target.around.port().tap();
        if (own == null && theirs == null || !port.isUp()) {
            rendering = null;
        } else if (rendering == null || !rendering.isFor(own, theirs)) {
            rendering = new Rendering(own, theirs);
        }
    }

    /** Whether somebody looked when the peer was looked for. */
    boolean isThere() {
        return rendering != null;
    }

    /** Has the peer, if there is one, execute the message, and shows both. */
    void exchange() {
        rendering.request(message, settings.destinationQpn);
        if (peer != null) {
            requester.share(peer.responder.lock());
            peer.responder.answer(message);
            rendering.answer(message);
        }
    }

    /** Shows a datagram, if somebody looks, to a queue pair within the JVM or to nobody. */
    void show(SoftQp target, int qpn) {
        look(target);
        if (rendering != null) {
            rendering.request(message, qpn);
        }
    }
}
