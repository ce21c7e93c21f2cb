package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.Psn;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.faults.Middlebox.Faults;
import io.jverbs.soft.protocol.Traffic;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traffic over a network that loses, duplicates, delays and damages packets. */
final class WireFaultsTest {
    private static final String LEFT = LoopbackAddress.next();
    private static final String RIGHT = LoopbackAddress.next();
    private static final String ROUTER = LoopbackAddress.next();
    private static final int SLOT = 20_000;
    private static final int SLOTS = 16;
    private static final int MESSAGES = 240;
    private static final long SECONDS = 60;
    /**
     * The code of an ACK timeout of 67 ms, which may take up to four times as long. Devices and router are threads of
     * this JVM, which may wait for a processor.
     */
    private static final int TIMEOUT = 14;
    /** The code of an ACK timeout of 2.1 s, for networks without loss, where nothing waits for the timeout. */
    private static final int LOSSLESS_TIMEOUT = 19;

    private RdmaContext left;
    private RdmaContext right;
    private Peer sender;
    private Peer receiver;

    /** One side of a connection, with a slot of memory for each outstanding request. */
    private static final class Peer {
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion memory;
        final WorkCompletions completions = WorkCompletions.create(SLOTS);
        final SendWorkRequest[] sends = new SendWorkRequest[SLOTS];
        final ReceiveWorkRequest[] receives = new ReceiveWorkRequest[SLOTS];

        Peer(RdmaContext context, QpType type) {
            ProtectionDomain pd = context.allocatePd();
            cq = context.createCompletionQueue(4 * SLOTS);
            qp = pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).maxSendWr(SLOTS).maxRecvWr(SLOTS).build());
            memory = pd.allocate((long) SLOT * SLOTS,
                    Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
            for (int i = 0; i < SLOTS; i++) {
                sends[i] = SendWorkRequest.create(1).wrId(i).flags(SendFlags.SIGNALED);
                receives[i] = ReceiveWorkRequest.create(1).wrId(i).sge(memory, (long) i * SLOT, SLOT);
            }
        }

        MemorySegment slot(int i) {
            return memory.segment().asSlice((long) i * SLOT, SLOT);
        }

        /** Waits for a number of completions, each of which must be successful. */
        void await(int count) {
            int seen = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (seen < count) {
                int some = cq.poll(completions);
                for (int i = 0; i < some; i++) {
                    assertEquals(WcStatus.SUCCESS, completions.status(i));
                }
                seen += some;
                assertTrue(System.nanoTime() < end, "completions are missing");
            }
            assertEquals(count, seen);
        }
    }

    @BeforeEach
    void open() {
        left = Verbs.open("soft:" + LEFT + "?fabric=wire");
        right = Verbs.open("soft:" + RIGHT + "?fabric=wire");
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private void connect(QpType type, Gid router, Mtu mtu, int timeout) {
        sender = new Peer(left, type);
        receiver = new Peer(right, type);
        int there = Psn.random();
        int back = Psn.random();
        ConnectionInfo ofReceiver = new ConnectionInfo(receiver.qp.number(), back, router, mtu);
        ConnectionInfo ofSender = new ConnectionInfo(sender.qp.number(), there, router, mtu);
        Connector.connect(sender.qp, there, ofReceiver, timeout);
        Connector.connect(receiver.qp, back, ofSender, timeout);
    }

    private static void fill(MemorySegment memory, int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, length);
    }

    private static void assertHolds(MemorySegment memory, int length, int seed) {
        byte[] expected = new byte[length];
        new Random(seed).nextBytes(expected);
        assertArrayEquals(expected, memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest(name = "lost {0} %, duplicated {1} %, late {2} %, damaged {3} %, MTU {4}")
    @CsvSource({"0, 0, 0, 0, MTU_1024", "5, 0, 0, 0, MTU_4096", "3, 3, 3, 3, MTU_1024"})
    void aReliableConnectionDeliversEveryMessageOnceAndInOrder(int lost, int doubled, int late, int damaged, Mtu mtu)
            throws Exception {
        deliver(lost, doubled, late, damaged, mtu);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0, 0, MTU_1024", "0, 5, 0, 0, MTU_1024", "0, 0, 5, 0, MTU_1024"})
    @Tag("variants")
    void aReliableConnectionDeliversEveryMessageOnceDespiteEachKindOfFault(int lost, int doubled, int late,
            int damaged, Mtu mtu) throws Exception {
        deliver(lost, doubled, late, damaged, mtu);
    }

    @Test
    @Tag("variants")
    void aReliableConnectionDeliversEveryMessageThoughPacketsAreDamaged() throws Exception {
        deliver(0, 0, 0, 5, Mtu.MTU_256);
    }

    private void deliver(int lost, int doubled, int late, int damaged, Mtu mtu) throws Exception {
        try (Middlebox router = new Middlebox(ROUTER, LEFT, RIGHT, new Faults(lost, doubled, late, damaged), 1)) {
            connect(QpType.RC, router.gid(), mtu, lost + damaged == 0 ? LOSSLESS_TIMEOUT : TIMEOUT);
            Random random = new Random(2);
            long sum = 0;
            receiver.slot(0).set(ValueLayout.JAVA_LONG, 0, 0);
            for (int done = 0; done < MESSAGES; done += 4) {
                int length = 1 + random.nextInt(SLOT);
                int seed = random.nextInt();
                fill(sender.slot(1), length, seed);
                fill(sender.slot(2), length, ~seed);
                receiver.qp.postReceive(receiver.receives[2]);
                sender.qp.postSend(sender.sends[1].opcode(WrOpcode.RDMA_WRITE).sge(sender.memory, SLOT, length)
                        .remote(receiver.memory.address() + SLOT, receiver.memory.rkey()));
                sender.qp.postSend(sender.sends[2].opcode(WrOpcode.SEND).sge(sender.memory, 2 * SLOT, length));
                sender.qp.postSend(sender.sends[3].opcode(WrOpcode.RDMA_READ).sge(sender.memory, 3 * SLOT, length)
                        .remote(receiver.memory.address() + SLOT, receiver.memory.rkey()));
                sender.qp.postSend(sender.sends[4].fetchAndAdd(receiver.memory.address(), receiver.memory.rkey(),
                        length).sge(sender.memory, 4 * SLOT, Long.BYTES));
                sender.await(4);
                receiver.await(1);
                assertHolds(receiver.slot(1), length, seed);
                assertHolds(receiver.slot(2), length, ~seed);
                assertHolds(sender.slot(3), length, seed);
                assertEquals(sum, sender.slot(4).get(ValueLayout.JAVA_LONG, 0));
                sum += length;
                assertEquals(sum, receiver.slot(0).get(ValueLayout.JAVA_LONG, 0));
            }
            assertEquals(0, sender.cq.poll(sender.completions));
            assertEquals(0, receiver.cq.poll(receiver.completions));
            assertEquals(lost + doubled + late + damaged != 0, router.harmed() != 0,
                    () -> router.harmed() + " of " + router.passed() + " packets were harmed");
        }
    }

    /** Catalogue M21. */
    @Test
    void aSequenceNakAfterAnRnrNakUsesNoRetry() throws Exception {
        try (Middlebox router = new Middlebox(ROUTER, LEFT, RIGHT, Faults.NONE, 5)) {
            router.sendSequenceNaksAfterRnrNaks();
            connect(QpType.RC, router.gid(), Mtu.MTU_1024, LOSSLESS_TIMEOUT);
            sender.qp.postSend(sender.sends[0].opcode(WrOpcode.SEND).sge(sender.memory, 0, 3_000));
            sender.qp.postSend(sender.sends[1].opcode(WrOpcode.SEND).sge(sender.memory, SLOT, 64));
            // many times the number of retries
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (router.passed() < 500) {
                assertEquals(0, sender.cq.poll(sender.completions));
                assertTrue(System.nanoTime() < end, () -> "only " + router.passed() + " packets were sent");
            }
            receiver.qp.postReceive(receiver.receives[0]);
            receiver.qp.postReceive(receiver.receives[1]);
            sender.await(2);
            receiver.await(2);
        }
    }

    @Test
    void anUnreliableConnectionDeliversNoWrongByte() throws Exception {
        try (Middlebox router = new Middlebox(ROUTER, LEFT, RIGHT, new Faults(3, 3, 3, 3), 3)) {
            connect(QpType.UC, router.gid(), Mtu.MTU_1024, LOSSLESS_TIMEOUT);
            Random random = new Random(4);
            int delivered = 0;
            int posted = 0;
            for (int i = 0; i < MESSAGES; i++) {
                while (posted < SLOTS) {
                    receiver.qp.postReceive(receiver.receives[posted++]);
                }
                int length = 4 + random.nextInt(6_000);
                int seed = random.nextInt();
                fill(sender.slot(0), length, seed);
                sender.slot(0).set(ValueLayout.JAVA_INT, 0, seed);
                sender.qp.postSend(sender.sends[0].opcode(WrOpcode.SEND).sge(sender.memory, 0, length));
                sender.await(1);
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3);
                while (System.nanoTime() < end) {
                    int some = receiver.cq.poll(receiver.completions);
                    for (int k = 0; k < some; k++) {
                        assertEquals(WcStatus.SUCCESS, receiver.completions.status(k));
                        int slot = (int) receiver.completions.wrId(k);
                        MemorySegment memory = receiver.slot(slot);
                        int sentSeed = memory.get(ValueLayout.JAVA_INT, 0);
                        int bytes = (int) receiver.completions.byteLength(k);
                        byte[] expected = new byte[bytes];
                        new Random(sentSeed).nextBytes(expected);
                        byte[] seen = memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
                        System.arraycopy(seen, 0, expected, 0, Integer.BYTES);
                        assertArrayEquals(expected, seen);
                        delivered++;
                        receiver.qp.postReceive(receiver.receives[slot]);
                    }
                }
            }
            int count = delivered;
            assertTrue(count > MESSAGES / 4, () -> count + " of " + MESSAGES + " were delivered");
            assertTrue(count < MESSAGES, () -> count + " of " + MESSAGES + " were delivered");
        }
    }
}
