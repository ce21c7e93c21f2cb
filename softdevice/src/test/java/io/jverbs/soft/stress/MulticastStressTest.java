package io.jverbs.soft.stress;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A multicast group whose members come and go while datagrams arrive. */
final class MulticastStressTest {
    private static final Gid GROUP = Gid.parse("ff0e::ffff:e00a:7");
    private static final int MULTICAST_QPN = 0xFFFFFF;
    private static final int GUESTS = 2;

    @Test
    void membersComeAndGoUnderTrafficAndWhoStaysGetsEveryDatagramOnceAndInOrder() {
        try (Node node = Node.open(); Node other = Node.open("soft:soft1"); Team team = new Team()) {
            AtomicLong sent = new AtomicLong();
            AtomicLong arrived = new AtomicLong();
            team.until("a hundred datagrams are sent", () -> sent.get() > 100);
            Member resident = new Member(node);
            resident.qp.attachMulticast(GROUP, 0);
            for (int i = 0; i < GUESTS; i++) {
                Member guest = new Member(i % 2 == 0 ? node : other);
                int seed = i;
                team.member("guest " + i, () -> guest.comeAndGo(team, new SplittableRandom(seed), sent));
            }
            team.member("resident", () -> {
                while (team.goesOn() || arrived.get() < sent.get()) {
                    for (long number : resident.poll()) {
                        assertEquals(arrived.incrementAndGet(), number, "who stays misses nothing");
                    }
                }
            });
            team.member("sender", () -> send(node, team, sent, arrived));
            team.join();
        }
    }

    /** Sends numbers from 1, never more at once than a member has receives for. */
    private static void send(Node node, Team team, AtomicLong sent, AtomicLong arrived) {
        CompletionQueue cq = node.cq(8);
        QueuePair qp = node.queuePair(QpType.UD, cq, cq);
        Node.ready(qp);
        MemoryRegion memory = node.region(Long.BYTES);
        AddressHandle path = node.pd.createAddressHandle(AhAttributes.to(GROUP, 1, 0));
        SendWorkRequest request = SendWorkRequest.create(1).sge(memory, 0, Long.BYTES)
                .destination(path, MULTICAST_QPN, Node.QKEY);
        WorkCompletions done = WorkCompletions.create(1);
        while (team.goesOn()) {
            team.await("the resident to catch up", () -> sent.get() - arrived.get() < Member.RECEIVES / 2);
            memory.segment().set(JAVA_LONG, 0, sent.incrementAndGet());
            qp.postSend(request);
            assertEquals(1, cq.poll(done));
            assertEquals(WcStatus.SUCCESS, done.status(0));
        }
    }

    /** A UD queue pair with receives posted; used by one thread. */
    private static final class Member {
        static final int RECEIVES = 32;
        private static final int GRH = 40;
        private static final int SLOT = GRH + Long.BYTES;
        private static final int STAY = 200;

        final QueuePair qp;
        private final CompletionQueue cq;
        private final MemoryRegion inbox;
        private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
        private final WorkCompletions done = WorkCompletions.create(RECEIVES);

        Member(Node node) {
            cq = node.cq(RECEIVES);
            qp = node.queuePair(QpType.UD, node.cq(1), cq);
            inbox = node.region(RECEIVES * SLOT);
            Node.ready(qp);
            for (int slot = 0; slot < RECEIVES; slot++) {
                post(slot);
            }
        }

        private void post(int slot) {
            qp.postReceive(receive.wrId(slot).sge(inbox, (long) slot * SLOT, SLOT));
        }

        /** The numbers that came. */
        long[] poll() {
            int count = cq.poll(done);
            long[] numbers = new long[count];
            for (int i = 0; i < count; i++) {
                assertEquals(WcStatus.SUCCESS, done.status(i));
                assertEquals(SLOT, done.byteLength(i));
                int slot = (int) done.wrId(i);
                numbers[i] = inbox.segment().get(JAVA_LONG, (long) slot * SLOT + GRH);
                post(slot);
            }
            return numbers;
        }

        /** Joins and leaves; what arrives rises, and nothing arrives that was sent after leaving. */
        void comeAndGo(Team team, SplittableRandom random, AtomicLong sent) {
            long last = 0;
            while (team.goesOn()) {
                qp.attachMulticast(GROUP, 0);
                for (int i = random.nextInt(STAY); i > 0; i--) {
                    last = checkRising(last, Long.MAX_VALUE);
                }
                qp.detachMulticast(GROUP, 0);
                long limit = sent.get();
                for (int i = random.nextInt(STAY); i > 0; i--) {
                    last = checkRising(last, limit);
                }
            }
        }

        private long checkRising(long before, long limit) {
            long last = before;
            for (long number : poll()) {
                assertTrue(number > last, "datagram " + number + " came behind " + last);
                assertTrue(number <= limit, "datagram " + number + " was sent after the member had left");
                last = number;
            }
            return last;
        }
    }
}
