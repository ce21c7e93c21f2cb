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
        Tap theirs = target == null ? null : tapOf(target);
        if (own == null && theirs == null || !port.isUp()) {
            rendering = null;
            return;
        }
        if (rendering == null) {
            rendering = new Rendering();
        }
        rendering.between(own, theirs);
    }

    private static Tap tapOf(SoftQp other) {
        return other.around.port().tap();
    }

    /** Whether somebody looked when the peer was looked for. */
    boolean isThere() {
        return rendering != null;
    }

    /**
     * Has the peer, if there is one, execute the message, and shows both.
     *
     * @param executed how many messages the peer has executed before
     */
    void exchange(long executed) {
        rendering.request(message, settings.destinationQpn);
        if (peer != null) {
            requester.share(peer.responder.lock());
            peer.responder.answer(message);
            rendering.answer(message, executed);
        }
    }

    /** Shows a datagram, if somebody looks, to the members of a group within the JVM: it leaves once, and arrives where it is seen. */
    void show(SoftQp[] members, int qpn) {
        SoftQp target = null;
        for (int i = 0; i < members.length && target == null; i++) {
            target = tapOf(members[i]) == null ? null : members[i];
        }
        show(target, qpn);
    }

    /** Shows a datagram, if somebody looks, to a queue pair within the JVM or to nobody. */
    void show(SoftQp target, int qpn) {
        look(target);
        if (rendering != null) {
            rendering.request(message, qpn);
        }
    }
}
