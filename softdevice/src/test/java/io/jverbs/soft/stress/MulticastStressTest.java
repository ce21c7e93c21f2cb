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

/** A multicast group whose members join and leave while datagrams arrive. */
final class MulticastStressTest {
    private static final Gid GROUP = Gid.parse("ff0e::ffff:e00a:7");
    private static final int MULTICAST_QPN = 0xFFFFFF;
    private static final int TEMPORARY_MEMBERS = 2;

    @Test
    void permanentMemberGetsEachDatagramOnceInOrderWhileOthersJoinAndLeave() {
        try (Node node = Node.open();
                Node other = Node.open("soft:soft1");
                WorkerThreads workers = new WorkerThreads()) {
            AtomicLong sent = new AtomicLong();
            AtomicLong arrived = new AtomicLong();
            workers.require("a hundred datagrams to be sent", () -> sent.get() > 100);
            Member permanent = new Member(node);
            permanent.qp.attachMulticast(GROUP, 0);
            for (int i = 0; i < TEMPORARY_MEMBERS; i++) {
                Member temporary = new Member(i % 2 == 0 ? node : other);
                int seed = i;
                workers.start("temporary member " + i,
                        () -> temporary.joinAndLeave(workers, new SplittableRandom(seed), sent));
            }
            workers.start("permanent member", () -> {
                while (workers.isRunning() || arrived.get() < sent.get()) {
                    for (long number : permanent.poll()) {
                        assertEquals(arrived.incrementAndGet(), number, "a permanent member misses no datagram");
                    }
                }
            });
            workers.start("sender", () -> send(node, workers, sent, arrived));
            workers.join();
        }
    }

    /** Sends numbers from 1. Fewer are outstanding than the permanent member has receives posted. */
    private static void send(Node node, WorkerThreads workers, AtomicLong sent, AtomicLong arrived) {
        CompletionQueue cq = node.cq(8);
        QueuePair qp = node.queuePair(QpType.UD, cq, cq);
        Node.ready(qp);
        MemoryRegion memory = node.region(Long.BYTES);
        AddressHandle path = node.pd.createAddressHandle(AhAttributes.to(GROUP, 1, 0));
        SendWorkRequest request = SendWorkRequest.create(1).sge(memory, 0, Long.BYTES)
                .destination(path, MULTICAST_QPN, Node.QKEY);
        WorkCompletions done = WorkCompletions.create(1);
        while (workers.isRunning()) {
            workers.await("the permanent member to catch up", () -> sent.get() - arrived.get() < Member.RECEIVES / 2);
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
        private static final int MAX_POLLS = 200;

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

        /** Polls and returns the numbers that were received. */
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

        /** Joins and leaves repeatedly. Received numbers must ascend; none may have been sent after leaving. */
        void joinAndLeave(WorkerThreads workers, SplittableRandom random, AtomicLong sent) {
            long last = 0;
            while (workers.isRunning()) {
                qp.attachMulticast(GROUP, 0);
                for (int i = random.nextInt(MAX_POLLS); i > 0; i--) {
                    last = checkAscending(last, Long.MAX_VALUE);
                }
                qp.detachMulticast(GROUP, 0);
                long limit = sent.get();
                for (int i = random.nextInt(MAX_POLLS); i > 0; i--) {
                    last = checkAscending(last, limit);
                }
            }
        }

        private long checkAscending(long before, long limit) {
            long last = before;
            for (long number : poll()) {
                assertTrue(number > last, "datagram " + number + " arrived after " + last);
                assertTrue(number <= limit, "datagram " + number + " was sent after the member had left");
                last = number;
            }
            return last;
        }
    }
}
