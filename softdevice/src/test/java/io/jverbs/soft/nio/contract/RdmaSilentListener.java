package io.jverbs.soft.nio.contract;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A listener of the connection manager whose program responds to no request. */
public final class RdmaSilentListener implements ProviderUnderTest.SilentListener {
    private final CmEventChannel events;
    private final CmId id;

    private RdmaSilentListener(CmEventChannel events) {
        this.events = events;
        this.id = events.createId(PortSpace.TCP);
    }

    /** Listens at any port of an address. */
    public static RdmaSilentListener open(RdmaContext context, InetAddress address) {
        RdmaSilentListener made = new RdmaSilentListener(CmEventChannel.create(context));
        boolean isListening = false;
        try {
            made.id.bind(new InetSocketAddress(address, 0));
            made.id.listen(0);
            isListening = true;
            return made;
        } finally {
            if (!isListening) {
                made.close();
            }
        }
    }

    @Override
    public InetSocketAddress address() {
        return id.localAddress();
    }

    /** Refuses the requests, too. */
    @Override
    public void close() {
        id.close();
        events.close();
    }
}
