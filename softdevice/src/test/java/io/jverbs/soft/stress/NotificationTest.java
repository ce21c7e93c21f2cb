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

/** Threads that sleep on a channel until a completion wakes them: arm, poll, wait. A wake-up that is lost stops the game. */
final class NotificationTest {
    private static final long STOP = -1;
    private static final int CLIENTS = 12;

    @Test
    void anEventDrivenPingPongOfTwoThreadsLosesNoWakeUp() {
        play(false, false);
    }

    @Test
    void anEventDrivenPingPongOfTwoVirtualThreadsLosesNoWakeUp() {
        play(true, false);
    }

    @Test
    void anEventDrivenPingPongOnSolicitedCompletionsLosesNoWakeUp() {
        play(false, true);
    }

    private static void play(boolean virtual, boolean solicited) {
        try (Node node = Node.open(); Team team = new Team()) {
            Player ping = new Player(node, team, node.context.createCompletionChannel(), solicited);
            Player pong = new Player(node, team, node.context.createCompletionChannel(), solicited);
            Player.connect(ping, pong);
            AtomicLong exchanges = new AtomicLong();
            team.until("the ball flies ten times", () -> exchanges.get() > 10);
            start(team, virtual, "ping", () -> {
                for (long i = 0; team.goesOn(); i++) {
                    ping.send(i);
                    assertEquals(i, ping.awaitMessage(), "the answer");
                    exchanges.incrementAndGet();
                }
                ping.send(STOP);
            });
            start(team, virtual, "pong", () -> {
                for (long message = pong.awaitMessage(); message != STOP; message = pong.awaitMessage()) {
                    pong.send(message);
                }
            });
            team.join();
        }
    }

    private static void start(Team team, boolean virtual, String name, Team.Work work) {
        if (virtual) {
            team.virtualMember(name, work);
        } else {
            team.member(name, work);
        }
    }

    @Test
    void oneThreadServesManyCompletionQueuesOfOneChannelToVirtualThreads() {
        try (Node node = Node.open(); Team team = new Team()) {
            CompletionChannel shared = node.context.createCompletionChannel();
            Map<CompletionQueue, Player> servers = new IdentityHashMap<>();
            AtomicLong exchanges = new AtomicLong();
            team.until("clients are served", () -> exchanges.get() > CLIENTS);
            for (int i = 0; i < CLIENTS; i++) {
                Player server = new Player(node, team, shared, false);
                Player client = new Player(node, team, node.context.createCompletionChannel(), false);
                Player.connect(client, server);
                servers.put(server.received, server);
                server.received.requestNotification(false);
                team.virtualMember("client " + i, () -> {
                    for (long message = 0; team.goesOn(); message++) {
                        client.send(message);
                        assertEquals(message, client.awaitMessage(), "the answer");
                        exchanges.incrementAndGet();
                    }
                    client.send(STOP);
                });
            }
            team.member("server", () -> serve(team, shared, servers));
            team.join();
        }
    }

    /** Arms a queue that fired before it empties it, so that whatever comes later fires again. */
    private static void serve(Team team, CompletionChannel channel, Map<CompletionQueue, Player> servers)
            throws InterruptedException {
        int left = servers.size();
        while (left > 0) {
            CompletionQueue fired = channel.awaitEvent(Team.PATIENCE);
            if (fired == null) {
                throw team.stuck("an event of " + left + " queues");
            }
            fired.acknowledgeEvents(1);
            fired.requestNotification(false);
            Player player = servers.get(fired);
            for (long message = player.message(); message != Player.NONE; message = player.message()) {
                if (message == STOP) {
                    left--;
                } else {
                    player.send(message);
                }
            }
        }
    }

    /** One end of a connection that exchanges one number at a time. */
    private static final class Player {
        static final long NONE = -2;

        final QueuePair qp;
        final CompletionQueue received;
        private final Team team;
        private final CompletionChannel channel;
        private final boolean solicited;
        private final CompletionQueue sent;
        private final MemoryRegion memory;
        private final SendWorkRequest send;
        private final ReceiveWorkRequest receive;
        private final WorkCompletions done = WorkCompletions.create(4);

        Player(Node node, Team team, CompletionChannel channel, boolean solicited) {
            this.team = team;
            this.channel = channel;
            this.solicited = solicited;
            received = node.context.createCompletionQueue(8, channel);
            sent = node.cq(8);
            qp = node.queuePair(QpType.RC, sent, received);
            memory = node.region(2 * Long.BYTES);
            send = SendWorkRequest.create(1).sge(memory, 0, Long.BYTES).flags(solicited ? SendFlags.SOLICITED : 0);
            receive = ReceiveWorkRequest.create(1).sge(memory, Long.BYTES, Long.BYTES);
        }

        static void connect(Player left, Player right) {
            Node.connect(left.qp, right.qp);
            for (int i = 0; i < 2; i++) {
                left.qp.postReceive(left.receive);
                right.qp.postReceive(right.receive);
            }
        }

        void send(long message) {
            memory.segment().set(JAVA_LONG, 0, message);
            qp.postSend(send);
            team.await("the send to complete", () -> sent.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
        }

        /** The next message if it is there; its place is posted again. */
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
                    CompletionQueue fired = channel.awaitEvent(Team.PATIENCE);
                    if (fired == null) {
                        throw team.stuck("an event after " + received + " was armed and found empty");
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
