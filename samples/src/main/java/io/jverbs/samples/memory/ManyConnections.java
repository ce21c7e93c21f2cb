package io.jverbs.samples.memory;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.console.SampleFailure;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Connects many CM IDs of a client to a listener, with both sides in one thread. Not thread-safe. */
final class ManyConnections implements AutoCloseable {
    private static final int PORT = 1;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(1);
    /** The number of connections that are being established at the same time. */
    private static final int IN_PROGRESS = 128;

    private final Side client;
    private final Side server;
    private final CmId listener;
    private final InetSocketAddress address;
    private final List<CmId> ids = new ArrayList<>();
    private int established;
    private int accepted;

    /** What one side needs for its queue pairs. */
    private static final class Side implements AutoCloseable {
        private final CmEventChannel channel;
        private final ProtectionDomain pd;
        private final CompletionQueue cq;
        private final QpInitAttributes attributes;

        Side(RdmaContext context) {
            channel = CmEventChannel.create(context);
            pd = context.allocatePd();
            cq = context.createCompletionQueue(1);
            attributes = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build();
        }

        @Override
        public void close() {
            channel.close();
            cq.close();
            pd.close();
        }
    }

    /** Listens at any port of the server. */
    ManyConnections(RdmaContext clientContext, RdmaContext serverContext) {
        client = new Side(clientContext);
        server = new Side(serverContext);
        listener = server.channel.createId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(serverContext.preferredGid(PORT).gid().toInetAddress(), 0));
        listener.listen(IN_PROGRESS);
        address = listener.localAddress();
    }

    /** Creates and connects IDs until there are so many connections. */
    void connect(int count) throws InterruptedException {
        int begun = established;
        while (established < count || accepted < count) {
            while (begun < count && begun - Math.min(established, accepted) < IN_PROGRESS) {
                CmId id = client.channel.createId(PortSpace.TCP);
                ids.add(id);
                id.resolveAddress(address, TIMEOUT);
                begun++;
            }
            if (!handle(server.channel.awaitEvent(Duration.ZERO)) && !handle(client.channel.awaitEvent(PAUSE))) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean handle(CmEvent event) {
        if (event == null) {
            return false;
        }
        try (event) {
            CmId id = event.id();
            switch (event.type()) {
                case ADDR_RESOLVED -> id.resolveRoute(TIMEOUT);
                case ROUTE_RESOLVED -> {
                    id.createQueuePair(client.pd, client.attributes);
                    id.connect(ConnectionParameters.DEFAULT);
                }
                case CONNECT_REQUEST -> {
                    ids.add(id);
                    id.userContext(server);
                    id.createQueuePair(server.pd, server.attributes);
                    id.accept(ConnectionParameters.DEFAULT);
                }
                case ESTABLISHED -> {
                    if (id.userContext() == server) {
                        accepted++;
                    } else {
                        established++;
                    }
                }
                default -> {
                    if (event.isFailure()) {
                        throw new SampleFailure("connection " + (established + 1) + " failed: " + event.type() + ", "
                                + event.explanation());
                    }
                }
            }
        }
        return true;
    }

    @Override
    public void close() {
        ids.forEach(CmId::close);
        listener.close();
        client.close();
        server.close();
    }
}
