package io.jverbs.soft.stress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Threads wait for completion events: request notification, poll, wait for the event. A lost event makes a wait time
 * out.
 */
final class NotificationTest {
    private static final long STOP = -1;
    private static final int CLIENTS = 12;

    @Test
    void pingPongOfTwoThreadsLosesNoEvent() {
        pingPong(false, false);
    }

    @Test
    void pingPongOfTwoVirtualThreadsLosesNoEvent() {
        pingPong(true, false);
    }

    @Test
    void pingPongOnSolicitedCompletionsLosesNoEvent() {
        pingPong(false, true);
    }

    private static void pingPong(boolean virtual, boolean solicited) {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            Endpoint ping = new Endpoint(node, workers, node.context.createCompletionChannel(), solicited);
            Endpoint pong = new Endpoint(node, workers, node.context.createCompletionChannel(), solicited);
            Endpoint.connect(ping, pong);
            AtomicLong exchanges = new AtomicLong();
            workers.require("ten exchanges", () -> exchanges.get() > 10);
            start(workers, virtual, "ping", () -> {
                for (long i = 0; workers.isRunning(); i++) {
                    ping.send(i);
                    assertEquals(i, ping.awaitMessage(), "the reply");
                    exchanges.incrementAndGet();
                }
                ping.send(STOP);
            });
            start(workers, virtual, "pong", () -> {
                for (long message = pong.awaitMessage(); message != STOP; message = pong.awaitMessage()) {
                    pong.send(message);
                }
            });
            workers.join();
        }
    }

    private static void start(WorkerThreads workers, boolean virtual, String name, WorkerThreads.Work work) {
        if (virtual) {
            workers.startVirtual(name, work);
        } else {
            workers.start(name, work);
        }
    }

    @Test
    void oneThreadServesVirtualThreadsThroughManyCompletionQueuesOfOneChannel() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            CompletionChannel shared = node.context.createCompletionChannel();
            Map<CompletionQueue, Endpoint> servers = new IdentityHashMap<>();
            AtomicLong exchanges = new AtomicLong();
            workers.require("an exchange of each client", () -> exchanges.get() > CLIENTS);
            for (int i = 0; i < CLIENTS; i++) {
                Endpoint server = new Endpoint(node, workers, shared, false);
                Endpoint client = new Endpoint(node, workers, node.context.createCompletionChannel(), false);
                Endpoint.connect(client, server);
                servers.put(server.received, server);
                server.received.requestNotification(false);
                workers.startVirtual("client " + i, () -> {
                    for (long message = 0; workers.isRunning(); message++) {
                        client.send(message);
                        assertEquals(message, client.awaitMessage(), "the reply");
                        exchanges.incrementAndGet();
                    }
                    client.send(STOP);
                });
            }
            workers.start("server", () -> serve(workers, shared, servers));
            workers.join();
        }
    }

    /** Requests notification again before draining a queue, so that a later completion raises another event. */
    private static void serve(WorkerThreads workers, CompletionChannel channel, Map<CompletionQueue, Endpoint> servers)
            throws InterruptedException {
        int active = servers.size();
        while (active > 0) {
            CompletionQueue fired = channel.awaitEvent(WorkerThreads.TIMEOUT);
            if (fired == null) {
                throw workers.timeout("an event of " + active + " completion queues");
            }
            fired.acknowledgeEvents(1);
            fired.requestNotification(false);
            Endpoint server = servers.get(fired);
            for (long message = server.message(); message != Endpoint.NONE; message = server.message()) {
                if (message == STOP) {
                    active--;
                } else {
                    server.send(message);
                }
            }
        }
    }

    /** One end of a connection that exchanges one number at a time. */
    private static final class Endpoint {
        static final long NONE = -2;

        final QueuePair qp;
        final CompletionQueue received;
        private final WorkerThreads workers;
        private final CompletionChannel channel;
        private final boolean solicited;
        private final CompletionQueue sent;
        private final MemoryRegion memory;
        private final SendWorkRequest send;
        private final ReceiveWorkRequest receive;
        private final WorkCompletions done = WorkCompletions.create(4);

        Endpoint(Node node, WorkerThreads workers, CompletionChannel channel, boolean solicited) {
            this.workers = workers;
            this.channel = channel;
            this.solicited = solicited;
            received = node.context.createCompletionQueue(8, channel);
            sent = node.cq(8);
            qp = node.queuePair(QpType.RC, sent, received);
            memory = node.region(2 * Long.BYTES);
            send = SendWorkRequest.create(1).sge(memory, 0, Long.BYTES).flags(solicited ? SendFlags.SOLICITED : 0);
            receive = ReceiveWorkRequest.create(1).sge(memory, Long.BYTES, Long.BYTES);
        }

        static void connect(Endpoint left, Endpoint right) {
            Node.connect(left.qp, right.qp);
            for (int i = 0; i < 2; i++) {
                left.qp.postReceive(left.receive);
                right.qp.postReceive(right.receive);
            }
        }

        void send(long message) {
            memory.segment().set(JAVA_LONG, 0, message);
            qp.postSend(send);
            workers.await("the send to complete", () -> sent.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
        }

        /** Returns the next message and posts its receive again; {@link #NONE} if there is no message. */
        long message() {
            if (received.poll(done, 1) == 0) {
                return NONE;
            }
            assertEquals(WcStatus.SUCCESS, done.status(0));
            long message = memory.segment().get(JAVA_LONG, Long.BYTES);
            qp.postReceive(receive);
            return message;
        }

        long awaitMessage() throws InterruptedException {
            long message = message();
            while (message == NONE) {
                received.requestNotification(solicited);
                message = message();
                if (message == NONE) {
                    CompletionQueue fired = channel.awaitEvent(WorkerThreads.TIMEOUT);
                    if (fired == null) {
                        throw workers.timeout(
                                "an event after notification was requested on " + received + " and it was empty");
                    }
                    assertSame(received, fired);
                    fired.acknowledgeEvents(1);
                    message = message();
                }
            }
            return message;
        }
    }
}
