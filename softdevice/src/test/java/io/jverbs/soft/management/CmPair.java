package io.jverbs.soft.management;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Two devices of this JVM, a listener on the second one, and an ID of the first one whose route to it is resolved. */
final class CmPair implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(50);

    final Side clientSide = new Side("soft:soft78");
    final Side serverSide = new Side("soft:soft79");
    final PortSpace space;
    final SynchronousCmId listener;
    final SynchronousCmId client;

    /** A context, and what its queue pairs need. */
    static final class Side {
        final RdmaContext context;
        final ProtectionDomain pd;
        final CompletionQueue cq;

        Side(String selector) {
            context = Verbs.open(selector);
            pd = context.allocatePd();
            cq = context.createCompletionQueue(16);
        }

        InetSocketAddress address() {
            return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
        }

        QpInitAttributes attributes(QpType type) {
            return QpInitAttributes.builder(type).cq(cq).build();
        }

        void createQueuePair(SynchronousCmId id) {
            id.createQueuePair(pd, attributes(id.id().qpType()));
        }
    }

    CmPair(PortSpace space) throws InterruptedException {
        this.space = space;
        listener = SynchronousCmId.create(serverSide.context, space);
        listener.bind(serverSide.address());
        listener.listen(4);
        client = SynchronousCmId.create(clientSide.context, space);
        client.resolve(listener.id().localAddress(), LONG);
    }

    /** Returns a pair whose client has a queue pair. */
    static CmPair withQueuePair(PortSpace space) throws InterruptedException {
        CmPair pair = new CmPair(space);
        pair.clientSide.createQueuePair(pair.client);
        return pair;
    }

    /** Connects the client, and returns the ID of the server. */
    SynchronousCmId connect() throws Exception {
        FutureTask<SynchronousCmId> accepted = start(() -> {
            SynchronousCmId server = listener.getRequest(LONG);
            serverSide.createQueuePair(server);
            server.accept(ConnectionParameters.DEFAULT, LONG);
            return server;
        });
        client.connect(ConnectionParameters.DEFAULT, LONG);
        return resultOf(accepted);
    }

    /** Runs a task in a thread of its own. */
    static <T> FutureTask<T> start(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.ofVirtual().start(task);
        return task;
    }

    static <T> T resultOf(FutureTask<T> task) throws Exception {
        return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        client.close();
        listener.close();
        clientSide.context.close();
        serverSide.context.close();
    }
}
