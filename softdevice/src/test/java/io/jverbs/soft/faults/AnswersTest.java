package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.faults.RawPeer.Packet;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sides of a reliable connection say to packets that come again or too early. */
final class AnswersTest {
    private static final String DEVICE = LoopbackAddress.next();
    private static final String PEER = LoopbackAddress.next();
    private static final int PEER_QPN = 77;
    private static final int PSN = 0xFF_FFFF;
    /** The most that there can be. */
    private static final int RETRIES = 7;
    /** 0.64 ms. */
    private static final int RNR_TIMER = 12;
    /** 1.07 s: the peer is a thread of this test, which may wait for a processor, and no retry is to be used up by that. */
    private static final int TIMEOUT = 18;

    private final WorkCompletions completions = WorkCompletions.create(2);
    private RdmaContext context;
    private CompletionQueue cq;
    private QueuePair qp;
    private MemoryRegion memory;
    private RawPeer peer;

    @BeforeEach
    void connect() throws IOException {
        context = Verbs.open("soft:" + DEVICE + "?fabric=wire");
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(16);
        qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(2).maxRecvWr(1).build());
        memory = pd.allocate(64,
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
        Gid gid = Gid.ofAddress(InetAddress.getByName(PEER));
        Connecting.connect(qp, 0, new ConnectionInfo(PEER_QPN, PSN, gid, Mtu.MTU_1024), TIMEOUT);
        peer = new RawPeer(PEER, DEVICE, qp.number());
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        context.close();
    }

    private void write(int psn) throws IOException {
        peer.write(psn, memory.address(), memory.rkey());
    }

    /** A request with an answer of its own. */
    private void ask(boolean atomic, int psn) throws IOException {
        if (atomic) {
            peer.add(psn, memory.address(), memory.rkey());
        } else {
            peer.read(psn, memory.address(), memory.rkey());
        }
    }

    private static int answerTo(boolean atomic) {
        return atomic ? WireOpcode.ATOMIC_ACKNOWLEDGE : WireOpcode.READ_RESPONSE_ONLY;
    }

    /** Catalogue L32, L33. Linux' rxe takes such an acknowledgement for the answer and completes without the data. */
    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void aWriteThatComesAgainIsAcknowledgedWithoutTheReadOrAtomicBehindIt(boolean atomic) throws Exception {
        write(PSN);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, PSN), peer.next());
        ask(atomic, 0);
        assertEquals(new Packet(answerTo(atomic), 0), peer.next());
        write(PSN);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, PSN), peer.next());
        write(1);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, 1), peer.next());
        write(PSN);
        assertEquals(new Packet(WireOpcode.ACKNOWLEDGE, 1), peer.next());
    }

    /** Catalogue L33. */
    @Test
    void noAcknowledgementHasThePsnOfAnAtomicThatCameWithAWrite() throws Exception {
        for (int psn = 0; psn < 300; psn += 3) {
            write(psn - 1 & PSN);
            ask(true, psn);
            write(psn + 1);
            Packet answer;
            do {
                answer = peer.next();
                assertNotEquals(new Packet(WireOpcode.ACKNOWLEDGE, psn), answer);
            } while (!answer.equals(new Packet(WireOpcode.ACKNOWLEDGE, psn + 1)));
        }
    }

    private void awaitPacket(Packet packet) throws IOException {
        Packet next;
        do {
            next = peer.next();
        } while (!next.equals(packet));
    }

    /** Catalogue M21. */
    @Test
    void aGapBehindAReceiverThatIsNotReadyIsNoRetry() throws Exception {
        SendWorkRequest request = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory,
                0, 8);
        qp.postSend(request);
        qp.postSend(request);
        for (int i = 0; i < 3 * RETRIES; i++) {
            awaitPacket(new Packet(WireOpcode.SEND_ONLY, 1));
            peer.acknowledge(0, Aeth.rnrNak(RNR_TIMER));
            peer.acknowledge(0, Aeth.NAK_SEQUENCE);
        }
        peer.acknowledge(1, Aeth.ACK);
        awaitSuccess(2);
    }

    /** Catalogue L33: an acknowledgement of an atomic whose answer is missing asks for that answer again. */
    @Test
    void anAcknowledgementIsNotTheAnswerToAnAtomic() throws Exception {
        SendWorkRequest request = SendWorkRequest.create(1).flags(SendFlags.SIGNALED).sge(memory, 0, Long.BYTES)
                .fetchAndAdd(0, 0, 1);
        qp.postSend(request);
        awaitPacket(new Packet(WireOpcode.FETCH_ADD, 0));
        peer.acknowledge(0, Aeth.ACK);
        awaitPacket(new Packet(WireOpcode.FETCH_ADD, 0));
        assertEquals(0, cq.poll(completions));
        peer.original(0, 4711);
        awaitSuccess(1);
        assertEquals(4711, memory.segment().get(ValueLayout.JAVA_LONG, 0));
    }

    private void awaitSuccess(int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (int seen = 0; seen < count;) {
            int some = cq.poll(completions);
            for (int i = 0; i < some; i++) {
                assertEquals(WcStatus.SUCCESS, completions.status(i));
            }
            seen += some;
            assertTrue(System.nanoTime() < end, "completions are missing");
        }
    }
}
