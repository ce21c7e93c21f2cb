package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.layers.LayeredPair;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks back-pressure: held or delayed completions occupy the queue entries of their requests, and their own. */
final class FaultyQueueSlotsTest extends FaultyPair {
    private static final int ENOMEM = Errno.ENOMEM.code();
    private static final int SIGNALED = SendFlags.SIGNALED;

    /** Posts and polls until the send queue is full; returns the number of requests that were posted. */
    private int fill() {
        int posted = 0;
        int result = 0;
        while (result == 0) {
            result = pair.sender.tryPostSend(pair.write(posted, SIGNALED));
            posted += result == 0 ? 1 : 0;
            assertTrue(posted <= 4 * LayeredPair.DEPTH, "the send queue does not become full");
            assertEquals(List.of(), pair.polled(pair.sendCq));
        }
        assertEquals(ENOMEM, result);
        return posted;
    }

    /** Catalogue E2, E3, D37. */
    @Test
    void aSendQueueIsFullWhenAllCompletionsAreHeld() {
        open(FaultRule.hold());
        assertEquals(pair.sender.capabilities().maxSendWr(), fill());
        faults.clear();
        faults.release();
        assertEquals(LayeredPair.DEPTH, pair.polled(pair.sendCq).size());
        pair.sender.postSend(pair.write(99, SIGNALED));
        assertEquals(List.of("99 SUCCESS"), pair.polled(pair.sendCq));
    }

    /** Catalogue E1. */
    @Test
    void aChainIsPostedUpToTheFirstRequestWithoutRoom() {
        open(FaultRule.hold().nth(1));
        pair.sender.postSend(pair.write(0, SIGNALED));
        pair.polled(pair.sendCq);
        SendWorkRequest[] chain = new SendWorkRequest[LayeredPair.DEPTH];
        for (int i = chain.length - 1; i >= 0; i--) {
            chain[i] = pair.write(i + 1, SIGNALED).next(i + 1 < chain.length ? chain[i + 1] : null);
        }
        assertEquals(ENOMEM, pair.sender.tryPostSend(chain[0]));
        assertSame(chain[chain.length - 1], chain[0].failed());
        faults.release();
        assertEquals(LayeredPair.DEPTH, pair.polled(pair.sendCq).size());
        assertEquals(0, pair.sender.tryPostSend(chain[chain.length - 1]), "posting the rest of the chain");
    }

    /** Catalogue D37: the held completion covers the unsignaled requests before it. */
    @Test
    void unsignaledRequestsKeepTheirEntriesUntilTheHeldCompletionBehindThemIsPolled() {
        open(FaultRule.hold().nth(1));
        int unsignaled = LayeredPair.DEPTH - 2;
        for (int i = 0; i < unsignaled; i++) {
            pair.sender.postSend(pair.write(i, 0));
        }
        pair.sender.postSend(pair.write(90, SIGNALED));
        assertEquals(List.of(), pair.polled(pair.sendCq));
        assertEquals(0, pair.sender.tryPostSend(pair.write(91, SIGNALED)));
        assertEquals(ENOMEM, pair.sender.tryPostSend(pair.write(92, 0)));
        faults.release();
        assertEquals(List.of("90 SUCCESS", "91 SUCCESS"), pair.polled(pair.sendCq));
        for (int i = 0; i < LayeredPair.DEPTH; i++) {
            assertEquals(0, pair.sender.tryPostSend(pair.write(i, 0)), "request " + i);
        }
        assertEquals(ENOMEM, pair.sender.tryPostSend(pair.write(93, 0)));
    }

    /** Catalogue D28, D37: a completion in error covers the unsignaled requests before it, too. */
    @Test
    void unsignaledRequestsKeepTheirEntriesUntilTheHeldErrorBehindThemIsPolled() {
        open(FaultRule.hold().nth(1));
        pair.sender.postSend(pair.write(80, SIGNALED));
        for (int i = 2; i < LayeredPair.DEPTH; i++) {
            pair.sender.postSend(pair.write(i, 0));
        }
        // a wrong key: the queue pair goes to ERR and flushes later requests
        pair.sender.postSend(pair.write(81, 0).remote(pair.target.address(), pair.target.rkey() ^ 1));
        assertEquals(List.of(), pair.polled(pair.sendCq));
        assertEquals(ENOMEM, pair.sender.tryPostSend(pair.write(82, 0)));
        faults.release();
        assertEquals(List.of("80 SUCCESS", "81 REM_ACCESS_ERR"), pair.polled(pair.sendCq));
        assertEquals(0, pair.sender.tryPostSend(pair.write(83, 0)));
    }

    @Test
    void aQueuePairThatFailedByInjectionKeepsItsQueueSizes() {
        open(FaultRule.failCompletion(WcStatus.GENERAL_ERR).nth(1));
        pair.sender.postSend(pair.write(1, SIGNALED));
        assertEquals(List.of("1 GENERAL_ERR"), pair.polled(pair.sendCq));
        for (int i = 0; i < LayeredPair.DEPTH; i++) {
            assertEquals(0, pair.sender.tryPostSend(pair.write(i, 0)));
            assertEquals(0, pair.sender.tryPostReceive(pair.receive(i)));
        }
        assertEquals(ENOMEM, pair.sender.tryPostSend(pair.write(77, 0)));
        assertEquals(ENOMEM, pair.sender.tryPostReceive(pair.receive(77)));
        SendWorkRequest endless = pair.write(78, 0);
        endless.next(endless);
        assertEquals(ENOMEM, pair.sender.tryPostSend(endless));
        endless.next(null);
        assertEquals(LayeredPair.DEPTH, pair.polled(pair.sendCq).size());
        assertEquals(LayeredPair.DEPTH, pair.polled(pair.recvCq).size());
        assertEquals(0, pair.sender.tryPostSend(pair.write(79, 0)));
        assertEquals(0, pair.sender.tryPostReceive(pair.receive(79)));
    }

    @Test
    void receivesWithHeldCompletionsOccupyTheirEntries() {
        open(FaultRule.hold());
        for (int i = 0; i < LayeredPair.DEPTH; i++) {
            pair.receiver.postReceive(pair.receive(i));
        }
        pair.sender.postSend(pair.send(0).next(pair.send(1)));
        assertEquals(List.of(), pair.polled(pair.recvCq));
        ReceiveWorkRequest second = pair.receive(101);
        assertEquals(ENOMEM, pair.receiver.tryPostReceive(pair.receive(100).next(second)));
        faults.release();
        assertEquals(2, pair.polled(pair.recvCq).size());
        assertEquals(0, pair.receiver.tryPostReceive(pair.receive(100).next(second)));
    }

    /** Catalogue C6. */
    @Test
    void aResizeBelowTheHeldAndPendingCompletionsIsEinval() {
        open(FaultRule.hold().nth(1));
        for (int i = 0; i < 3; i++) {
            pair.sender.postSend(pair.write(i, SIGNALED));
        }
        assertEquals(List.of(), pair.polled(pair.sendCq));
        pair.sender.postSend(pair.write(3, SIGNALED));
        pair.sender.postSend(pair.write(4, SIGNALED));
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> pair.sendCq.resize(4)).error());
        pair.sendCq.resize(5);
        faults.release();
        assertEquals(List.of("0 SUCCESS", "1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS"),
                pair.polled(pair.sendCq));
    }

    /** Catalogue C15: a completion queue that is too small overflows although fault injection holds its completions. */
    @Test
    void aCompletionQueueOverflowsWithHeldCompletions() throws InterruptedException {
        open(FaultRule.hold());
        CompletionQueue small = pair.context.createCompletionQueue(2);
        QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).sendCq(small).recvCq(pair.recvCq)
                .maxSendWr(LayeredPair.DEPTH).build());
        qp.connect(qp.localInfo());
        AsyncEvent event = null;
        for (int i = 0; event == null && i < LayeredPair.DEPTH; i++) {
            qp.tryPostSend(pair.write(i, SIGNALED));
            assertEquals(List.of(), pair.polled(small));
            event = pair.context.awaitAsyncEvent(Duration.ZERO);
        }
        assertEquals(AsyncEventType.CQ_ERR, event.type());
        event.acknowledge();
    }

    @Test
    void heldCompletionsAreCountedBeforeTheFirstPoll() {
        open(FaultRule.hold().nth(2));
        for (int i = 0; i < 4; i++) {
            pair.sender.postSend(pair.write(i, SIGNALED));
        }
        assertEquals(3, faults.held());
        assertEquals(List.of("0 SUCCESS"), pair.polled(pair.sendCq));
    }
}
