package io.jverbs.soft.faults;

import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A program that accepts the connections of {@link HonestClient}s, in a thread of its own, until it is closed. */
final class HonestServer implements AutoCloseable {
    /** The first byte of the private data of requests that are accepted. */
    static final byte PASSWORD = 7;

    private final CmEventChannel channel;
    private final CmId listener;
    private final ProtectionDomain pd;
    private final QpInitAttributes attributes;
    private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
    private volatile boolean closed;
    private volatile Throwable failure;

    HonestServer(RdmaContext context, InetSocketAddress own, int backlog) {
        channel = CmEventChannel.create(context);
        listener = channel.createId(PortSpace.TCP);
        listener.bind(own);
        listener.listen(backlog);
        pd = context.allocatePd();
        attributes = QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(16)).build();
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                CmEvent event = channel.awaitEvent(Duration.ofMillis(50));
                if (event != null) {
                    CmEventType type = event.type();
                    CmId id = event.id();
                    boolean known = event.privateData().remaining() > 0 && event.privateData().get(0) == PASSWORD;
                    event.acknowledge();
                    serve(type, id, known);
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void serve(CmEventType type, CmId id, boolean known) {
        switch (type) {
            case CONNECT_REQUEST -> {
                if (known) {
                    id.createQueuePair(pd, attributes);
                    id.accept(ConnectionParameters.DEFAULT);
                } else {
                    id.close();
                }
            }
            case ESTABLISHED, TIMEWAIT_EXIT -> {
                // the peer disconnects
            }
            default -> id.close();
        }
    }

    /** Fails if the thread has ended. */
    void assertRuns() {
        if (failure != null) {
            throw new AssertionError("the server has ended", failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listener.close();
        assertRuns();
    }
}
