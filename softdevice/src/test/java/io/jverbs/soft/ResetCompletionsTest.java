package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue C17, D34, D37, E3: RESET and the destruction of a queue pair free its slots, and remove its completions
 * from the completion queues. A completion queue as deep as its work queues never overflows, whether the program polls
 * before a reset or not.
 */
final class ResetCompletionsTest {
    private static final int DEPTH = 8;
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final QpAttributes RESET = QpAttributes.builder().state(QpState.RESET).build();

    private final WorkCompletions completions = WorkCompletions.create(4 * DEPTH);
    private RdmaContext context;
    private ProtectionDomain pd;

    private void open(String selector) {
        context = Verbs.open(selector);
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws InterruptedException {
        assertNull(context.awaitAsyncEvent(Duration.ZERO));
        context.close();
    }

    /** Creates a queue pair that is connected to itself. */
    private QueuePair queuePair(CompletionQueue sends, CompletionQueue receives) {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).sendCq(sends).recvCq(receives)
                .maxSendWr(DEPTH).maxRecvWr(DEPTH).build());
        qp.connect(qp.localInfo());
        return qp;
    }

    private static void reset(QueuePair qp) {
        qp.modify(RESET);
        qp.connect(qp.localInfo());
    }

    private static SendWorkRequest request(WrOpcode opcode, long wrId) {
        return SendWorkRequest.create(0).opcode(opcode).flags(SendFlags.SIGNALED).wrId(wrId);
    }

    /** Posts requests and waits until they are done, without polling. */
    private static void post(QueuePair qp, WrOpcode opcode, int first, int count) {
        for (int i = 0; i < count; i++) {
            qp.postSend(request(opcode, first + i));
        }
        qp.modify(QpAttributes.builder().state(QpState.SQD).build());
        long start = System.nanoTime();
        while (qp.query().sqDraining()) {
            assertTrue(System.nanoTime() - start < DEADLINE.toNanos(), "the send queue is not drained");
        }
        qp.modify(QpAttributes.builder().state(QpState.RTS).build());
    }

    private static void write(QueuePair qp, int first, int count) {
        post(qp, WrOpcode.RDMA_WRITE, first, count);
    }

    private static void postReceives(QueuePair qp, int first) {
        for (int i = 0; i < DEPTH; i++) {
            qp.postReceive(ReceiveWorkRequest.create(0).wrId(first + i));
        }
        assertEquals(Errno.ENOMEM.code(), qp.tryPostReceive(ReceiveWorkRequest.create(0)));
    }

    private List<Long> poll(CompletionQueue cq) {
        List<Long> ids = new ArrayList<>();
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            assertTrue(completions.isSuccess(i), completions::toString);
            ids.add(completions.wrId(i));
        }
        return ids;
    }

    private static List<Long> ids(int first, int count) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add((long) first + i);
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft:127.0.0.9?fabric=wire"})
    void aCompletionQueueAsDeepAsItsSendQueueDoesNotOverflowAfterAResetWithoutPolling(String selector) {
        open(selector);
        CompletionQueue cq = context.createCompletionQueue(DEPTH);
        QueuePair qp = queuePair(cq, context.createCompletionQueue(1));
        for (int round = 0; round < 3; round++) {
            write(qp, 100 * round, DEPTH);
            reset(qp);
        }
        assertEquals(List.of(), poll(cq));
        write(qp, 500, DEPTH);
        assertEquals(QpState.RTS, qp.state());
        assertEquals(ids(500, DEPTH), poll(cq));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft:127.0.0.9?fabric=wire"})
    void aCompletionQueueAsDeepAsItsReceiveQueueDoesNotOverflowAfterAResetWithoutPolling(String selector) {
        open(selector);
        CompletionQueue sends = context.createCompletionQueue(DEPTH);
        CompletionQueue receives = context.createCompletionQueue(DEPTH);
        QueuePair qp = queuePair(sends, receives);
        for (int round = 0; round < 3; round++) {
            postReceives(qp, 100 * round);
            post(qp, WrOpcode.SEND, 0, DEPTH);
            reset(qp);
        }
        assertEquals(List.of(), poll(receives));
        postReceives(qp, 500);
        post(qp, WrOpcode.SEND, 600, DEPTH);
        assertEquals(QpState.RTS, qp.state());
        assertEquals(ids(500, DEPTH), poll(receives));
        assertEquals(ids(600, DEPTH), poll(sends));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft:127.0.0.9?fabric=wire"})
    void aCompletionQueueDoesNotOverflowIfItsQueuePairsAreClosedWithoutPolling(String selector) {
        open(selector);
        CompletionQueue cq = context.createCompletionQueue(2 * DEPTH);
        for (int round = 0; round < 3; round++) {
            QueuePair qp = queuePair(cq, cq);
            postReceives(qp, 0);
            post(qp, WrOpcode.SEND, 0, DEPTH);
            qp.close();
        }
        assertEquals(List.of(), poll(cq));
        QueuePair last = queuePair(cq, cq);
        write(last, 500, DEPTH);
        assertEquals(ids(500, DEPTH), poll(cq));
    }

    @Test
    void aResetKeepsTheCompletionsOfOtherQueuePairsInOrder() {
        open("soft");
        CompletionQueue cq = context.createCompletionQueue(2 * DEPTH);
        CompletionQueue unused = context.createCompletionQueue(1);
        QueuePair stays = queuePair(cq, unused);
        QueuePair goes = queuePair(cq, unused);
        for (int i = 0; i < DEPTH; i++) {
            write(stays, i, 1);
            write(goes, 100 + i, 1);
        }
        reset(goes);
        assertEquals(Errno.ENOMEM.code(), stays.tryPostSend(request(WrOpcode.RDMA_WRITE, 0)));
        write(goes, 200, DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(1, cq.poll(completions, 1));
            assertEquals(i, completions.wrId(0));
            write(stays, 300 + i, 1);
            assertEquals(Errno.ENOMEM.code(), stays.tryPostSend(request(WrOpcode.RDMA_WRITE, 0)));
        }
        List<Long> expected = ids(200, DEPTH);
        expected.addAll(ids(300, DEPTH));
        assertEquals(expected, poll(cq));
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void aResizedCompletionQueueIsAsDeepAsBeforeTheReset(boolean before, boolean after) {
        open("soft");
        CompletionQueue cq = context.createCompletionQueue(2 * DEPTH);
        CompletionQueue unused = context.createCompletionQueue(1);
        QueuePair stays = queuePair(cq, unused);
        QueuePair goes = queuePair(cq, unused);
        write(goes, 100, DEPTH);
        write(stays, 0, DEPTH);
        if (before) {
            cq.resize(4 * DEPTH);
        }
        reset(goes);
        if (after) {
            cq.resize(DEPTH);
            cq.resize(2 * DEPTH);
        }
        write(goes, 200, DEPTH);
        assertEquals(Errno.ENOMEM.code(), stays.tryPostSend(request(WrOpcode.RDMA_WRITE, 0)));
        List<Long> expected = ids(0, DEPTH);
        expected.addAll(ids(200, DEPTH));
        assertEquals(expected, poll(cq));
        write(stays, 300, DEPTH);
        assertEquals(ids(300, DEPTH), poll(cq));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theCompletionsOfASharedReceiveQueueAreThoseOfTheQueuePairThatReceived(boolean closed) {
        open("soft");
        SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(DEPTH, 1));
        CompletionQueue sends = context.createCompletionQueue(DEPTH);
        CompletionQueue receives = context.createCompletionQueue(DEPTH);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).sendCq(sends).recvCq(receives).srq(srq).build();
        QueuePair one = pd.createQueuePair(init);
        QueuePair other = pd.createQueuePair(init);
        one.connect(one.localInfo());
        other.connect(other.localInfo());
        for (int i = 0; i < 4; i++) {
            srq.postReceive(ReceiveWorkRequest.create(0).wrId(i));
        }
        for (QueuePair qp : List.of(one, other, one, other)) {
            post(qp, WrOpcode.SEND, 0, 1);
        }
        if (closed) {
            one.close();
        } else {
            one.modify(RESET);
        }
        assertEquals(List.of(1L, 3L), poll(receives));
        assertEquals(2, poll(sends).size());
    }

    /** C18, C20: the event that a removed completion has raised remains, and the queue can be armed again. */
    @Test
    void theEventOfARemovedCompletionIsDelivered() throws InterruptedException {
        open("soft");
        try (var channel = context.createCompletionChannel()) {
            CompletionQueue cq = context.createCompletionQueue(CqInitAttributes.of(DEPTH).withChannel(channel));
            QueuePair qp = queuePair(cq, cq);
            cq.requestNotification(false);
            write(qp, 1, 1);
            reset(qp);
            assertEquals(cq, channel.awaitEvent(DEADLINE));
            assertEquals(List.of(), poll(cq));
            cq.requestNotification(false);
            assertNull(channel.awaitEvent(Duration.ofMillis(1)));
            write(qp, 2, 1);
            assertEquals(cq, channel.awaitEvent(DEADLINE));
            assertEquals(List.of(2L), poll(cq));
            cq.acknowledgeEvents(2);
            qp.close();
            cq.close();
        }
    }
}
