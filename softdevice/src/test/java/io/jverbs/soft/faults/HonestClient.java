package io.jverbs.soft.faults;

import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/** A program that connects to a {@link HonestServer}. */
final class HonestClient {
    private static final Duration STEP = Duration.ofSeconds(10);

    private final RdmaContext context;
    private final InetSocketAddress server;
    private final ProtectionDomain pd;
    private final QpInitAttributes attributes;
    private final ConnectionParameters parameters = ConnectionParameters.builder()
            .privateData(ByteBuffer.wrap(new byte[] {HonestServer.PASSWORD})).build();

    HonestClient(RdmaContext context, InetSocketAddress server) {
        this.context = context;
        this.server = server;
        pd = context.allocatePd();
        attributes = QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(16)).build();
    }

    /** Connects and disconnects; returns how many nanoseconds it took from an unbound ID to the connection. */
    long connect() throws InterruptedException {
        try (SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP)) {
            long begin = System.nanoTime();
            id.resolve(server, STEP);
            id.createQueuePair(pd, attributes);
            id.connect(parameters);
            return System.nanoTime() - begin;
        }
    }

    /** Connects a number of times; returns the median of the times in nanoseconds. */
    long median(int count) throws InterruptedException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            nanos[i] = connect();
        }
        Arrays.sort(nanos);
        return nanos[count / 2];
    }
}
