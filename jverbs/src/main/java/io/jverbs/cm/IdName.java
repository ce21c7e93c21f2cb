package io.jverbs.cm;

import io.jverbs.VerbsException;
import io.jverbs.spi.CmIdOps;
import java.net.InetSocketAddress;

/**
 * The name of an ID in messages: its port space, its device, and its local address as it was known last. Making the
 * text calls no verb, so that it can be made under any lock. Thread-safe.
 */
final class IdName {
    private final CmId id;
    private volatile InetSocketAddress lastLocal;

    IdName(CmId id) {
        this.id = id;
    }

    /** Asks for the local address, null if there is none, and notes it. */
    InetSocketAddress local(CmIdOps ops) {
        InetSocketAddress local = ops.route().local();
        lastLocal = local;
        return local;
    }

    /** Notes the local address of an ID that is about to be destroyed. */
    void beforeDestroy(CmIdOps ops) {
        try {
            local(ops);
        } catch (VerbsException e) {
            // an earlier call has destroyed the ID, after it has noted the address
        }
    }

    @Override
    public String toString() {
        InetSocketAddress local = lastLocal;
        String place = local == null ? "" : " at " + local.getAddress().getHostAddress() + ":" + local.getPort();
        return id.portSpace() + " ID of " + id.context().device() + place;
    }
}
