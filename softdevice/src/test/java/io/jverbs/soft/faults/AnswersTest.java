package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
import io.jverbs.Verbs;
import io.jverbs.soft.faults.RawPeer.Answer;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a responder says to requests that come again, packet by packet. */
final class AnswersTest {
    private static final String DEVICE = "127.0.0.31";
    private static final String PEER = "127.0.0.32";
    private static final int PEER_QPN = 77;
    private static final int PSN = 0xFF_FFFF;

    private RdmaContext context;
    private MemoryRegion memory;
    private RawPeer peer;

    @BeforeEach
    void connect() throws IOException {
        context = Verbs.open("soft:" + DEVICE + "?fabric=wire");
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = context.createCompletionQueue(16);
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build());
        memory = pd.allocate(64,
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
        Gid gid = Gid.ofAddress(InetAddress.getByName(PEER));
        Connecting.connect(qp, 0, new ConnectionInfo(PEER_QPN, PSN, gid, Mtu.MTU_1024));
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
        assertEquals(new Answer(WireOpcode.ACKNOWLEDGE, PSN), peer.answer());
        ask(atomic, 0);
        assertEquals(new Answer(answerTo(atomic), 0), peer.answer());
        write(PSN);
        assertEquals(new Answer(WireOpcode.ACKNOWLEDGE, PSN), peer.answer());
        write(1);
        assertEquals(new Answer(WireOpcode.ACKNOWLEDGE, 1), peer.answer());
        write(PSN);
        assertEquals(new Answer(WireOpcode.ACKNOWLEDGE, 1), peer.answer());
    }

    /** Catalogue L33. */
    @Test
    void noAcknowledgementHasThePsnOfAnAtomicThatCameWithAWrite() throws Exception {
        for (int psn = 0; psn < 300; psn += 3) {
            write(psn - 1 & PSN);
            ask(true, psn);
            write(psn + 1);
            Answer answer;
            do {
                answer = peer.answer();
                assertNotEquals(new Answer(WireOpcode.ACKNOWLEDGE, psn), answer);
            } while (!answer.equals(new Answer(WireOpcode.ACKNOWLEDGE, psn + 1)));
        }
    }
}
