package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.jverbs.CompletionQueue;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.layers.LayeredPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue C17, D34, D37, E3: RESET and the close of a queue pair remove its completions, also those that fault
 * injection holds or delays, so that a completion queue as deep as its work queues does not overflow.
 */
final class FaultyResetTest extends FaultyPair {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int SIGNALED = SendFlags.SIGNALED;
    private static final QpAttributes RESET = QpAttributes.builder().state(QpState.RESET).build();

    private static void reconnect(QueuePair qp, QueuePair peer) {
        qp.modify(RESET);
        peer.modify(RESET);
        qp.connect(peer.localInfo());
        peer.connect(qp.localInfo());
    }

    private void write(int first, int count) {
        for (int i = 0; i < count; i++) {
            pair.sender.postSend(pair.write(first + i, SIGNALED));
        }
    }

    private static List<String> successes(int first, int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(first + i + " SUCCESS");
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResetRemovesCompletionsThatAreHeldOrDelayed(boolean delayed) {
        open((delayed ? FaultRule.delay(Duration.ofHours(1)) : FaultRule.hold()).nth(2));
        write(0, 4);
        assertEquals(List.of("0 SUCCESS"), pair.polled(pair.sendCq));
        assertEquals(3, faults.held());
        reconnect(pair.sender, pair.receiver);
        assertEquals(0, faults.held());
        write(10, LayeredPair.DEPTH);
        assertEquals(successes(10, LayeredPair.DEPTH), pair.polled(pair.sendCq));
    }

    @Test
    void aResetKeepsHeldCompletionsOfOtherQueuePairs() {
        open(FaultRule.hold().opcode(WcOpcode.RDMA_WRITE));
        write(1, 1);
        pair.receiver.postSend(pair.write(2, SIGNALED));
        write(3, 1);
        assertEquals(List.of(), pair.polled(pair.sendCq));
        pair.sender.modify(RESET);
        faults.release();
        assertEquals(List.of("2 SUCCESS"), pair.polled(pair.sendCq));
    }

    @Test
    void aHeldReceiveIsRemovedByTheResetOfItsQueuePair() {
        open(FaultRule.hold().opcode(WcOpcode.RECV).nth(1));
        pair.receiver.postReceive(pair.receive(1));
        pair.sender.postSend(pair.send(2));
        assertEquals(List.of(), pair.polled(pair.recvCq));
        reconnect(pair.receiver, pair.sender);
        faults.release();
        assertEquals(List.of(), pair.polled(pair.recvCq));
        for (int i = 0; i < LayeredPair.DEPTH; i++) {
            pair.receiver.postReceive(pair.receive(10 + i));
        }
        pair.sender.postSend(pair.send(3));
        assertEquals(List.of("10 SUCCESS"), pair.polled(pair.recvCq));
    }

    @Test
    void theFlushesOfAQueuePairThatFailedByInjectionAreRemoved() {
        open(FaultRule.failCompletion(WcStatus.GENERAL_ERR).nth(1));
        write(1, 3);
        assertEquals(3, pair.polled(pair.sendCq).size());
        write(4, 3);
        reconnect(pair.sender, pair.receiver);
        assertEquals(List.of(), pair.polled(pair.sendCq));
        write(7, 1);
        assertEquals(successes(7, 1), pair.polled(pair.sendCq));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCompletionQueueAsDeepAsItsSendQueueDoesNotOverflow(boolean closed) {
        open(FaultRule.hold().nth(3));
        CompletionQueue cq = pair.context.createCompletionQueue(LayeredPair.DEPTH);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).sendCq(cq).recvCq(pair.recvCq)
                .maxSendWr(LayeredPair.DEPTH).build();
        QueuePair qp = pair.pd.createQueuePair(init);
        for (int round = 0; round < 12; round++) {
            qp.connect(qp.localInfo());
            for (int i = 0; i < LayeredPair.DEPTH; i++) {
                qp.postSend(pair.write(i, SIGNALED));
            }
            assertEquals(QpState.RTS, qp.state());
            if (round % 2 == 0) {
                pair.polled(cq);
            }
            if (closed) {
                qp.close();
                qp = pair.pd.createQueuePair(init);
            } else {
                qp.modify(RESET);
            }
        }
        faults.release();
        assertEquals(List.of(), pair.polled(cq));
        assertEquals(0, faults.held());
    }

    /** Catalogue C18: the device has raised its event for the held completion and is no longer armed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anArmedQueueRaisesAnEventForTheFirstCompletionAfterAReset(boolean polled) throws InterruptedException {
        open(FaultRule.hold().nth(1));
        pair.sendCq.requestNotification(false);
        write(1, 1);
        if (polled) {
            assertEquals(List.of(), pair.polled(pair.sendCq));
        } else {
            assertNull(pair.channel.awaitEvent(SHORT));
        }
        reconnect(pair.sender, pair.receiver);
        boolean before = pair.channel.awaitEvent(SHORT) != null;
        if (before) {
            // the removed completion has raised it
            pair.sendCq.acknowledgeEvents(1);
            assertEquals(List.of(), pair.polled(pair.sendCq));
            pair.sendCq.requestNotification(false);
        }
        write(2, 1);
        assertSame(pair.sendCq, pair.channel.awaitEvent(LONG));
        pair.sendCq.acknowledgeEvents(1);
        assertEquals(successes(2, 1), pair.polled(pair.sendCq));
    }
}
