package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what strict mode reports on queues that become full. */
final class StrictQueuesTest extends StrictReports {
    private static final int SIGNALED = SendFlags.SIGNALED;

    /** Catalogue D37: posting until the queue is full is legal. */
    @Test
    void aPostToAFullSendQueueWithASignaledRequestIsEnomemAndNotReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, i == 0 ? SIGNALED : 0));
            }
            for (int i = 0; i < 3; i++) {
                assertEquals(Errno.ENOMEM.code(), pair.sender.tryPostSend(pair.write(i, SIGNALED)));
            }
            pair.await(pair.sendCq, 1);
            assertEquals(0, pair.sender.tryPostSend(pair.write(0, SIGNALED)));
            assertNothingFound();
        }
    }

    /** Catalogue D37. */
    @Test
    void moreRequestsThanEntriesAfterAnUnpolledSignaledOneAreReportedIfTheDeviceAcceptsThem() {
        try (LayeredPair pair = new LayeredPair(strict, new EarlySlotRelease())) {
            pair.polled(pair.sendCq);
            for (int i = 0; i < LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, i == 0 ? SIGNALED : 0));
            }
            assertNothingFound();
            pair.sender.postSend(pair.write(16, 0));
            assertFound(Kind.NEVER_SIGNALED, "17 requests", "16 entries", "ENOMEM");
        }
    }

    @Test
    void moreSignaledRequestsThanEntriesAreReportedAndPostedEvenIfStrictModeThrows() {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair pair = new LayeredPair(throwing, new EarlySlotRelease())) {
            pair.polled(pair.sendCq);
            for (int i = 0; i < LayeredPair.DEPTH + 1; i++) {
                pair.sender.postSend(pair.write(0, SIGNALED));
            }
            assertEquals(Kind.NEVER_SIGNALED, throwing.violations().getFirst().kind());
            pair.await(pair.sendCq, LayeredPair.DEPTH + 1);
        }
    }

    @Test
    void pollingInTimeIsLegalWhereverTheSignaledRequestIs() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 10 * LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, i % 8 == 0 ? SIGNALED : 0));
                if (i % 8 == 7) {
                    pair.await(pair.sendCq, 1);
                }
            }
            assertNothingFound();
        }
    }

    @Test
    void windowBindsOccupySendQueueEntries() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            MemoryRegion region = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
            MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
            MwBind bind = new MwBind(region, region.address(), 64, Access.REMOTE_WRITE);
            for (int i = 0; i < LayeredPair.DEPTH - 1; i++) {
                pair.sender.bindMemoryWindow(window, i, 0, bind);
            }
            assertNothingFound();
            pair.sender.bindMemoryWindow(window, 99, 0, bind);
            assertFound(Kind.NEVER_SIGNALED, "all 16 entries");
        }
    }

    /** Catalogue D37: a completion queue needs as many entries as all its send queues together. */
    @Test
    void aCompletionQueueSmallerThanItsSendQueueIsReportedThoughTheSendQueueHasRoom() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue small = pair.context.createCompletionQueue(LayeredPair.DEPTH / 2);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small)
                    .maxSendWr(LayeredPair.DEPTH).build());
            qp.connect(pair.receiver.localInfo());
            pair.receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
            pair.receiver.connect(qp.localInfo());
            for (int i = 0; i < LayeredPair.DEPTH / 2; i++) {
                qp.postSend(pair.write(i, SIGNALED));
            }
            assertNothingFound();
            qp.tryPostSend(pair.write(8, SIGNALED));
            assertFound(Kind.COMPLETION_QUEUE_TOO_SMALL, "9 completions", "holds 8");
        }
    }

    /** Catalogue D37, E3. */
    @Test
    void postingUntilQueuesAreFullIsLegalIfTheCompletionQueueHoldsTheirCompletions() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue deep = pair.context.createCompletionQueue(2 * LayeredPair.DEPTH);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(deep)
                    .maxSendWr(LayeredPair.DEPTH).maxRecvWr(LayeredPair.DEPTH).build());
            qp.connect(qp.localInfo());
            for (int round = 0; round < 3; round++) {
                while (qp.tryPostReceive(pair.receive(1)) == 0) {
                    assertNothingFound();
                }
                while (qp.tryPostSend(pair.send(2)) == 0) {
                    assertNothingFound();
                }
                assertEquals(2 * LayeredPair.DEPTH, pair.await(deep, 2 * LayeredPair.DEPTH).size());
            }
            assertNothingFound();
        }
    }

    /** Catalogue C17, D34: RESET removes the completions that strict mode no longer expects. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void completionsRemovedByAResetOccupyNoCompletionQueueEntry(boolean closed) {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue deep = pair.context.createCompletionQueue(2 * LayeredPair.DEPTH);
            QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(deep).maxSendWr(LayeredPair.DEPTH)
                    .maxRecvWr(LayeredPair.DEPTH).build();
            QueuePair qp = pair.pd.createQueuePair(init);
            for (int round = 0; round < 3; round++) {
                qp.connect(qp.localInfo());
                for (int i = 0; i < LayeredPair.DEPTH; i++) {
                    qp.postReceive(pair.receive(100 + i));
                    qp.postSend(pair.send(i));
                }
                assertEquals(QpState.RTS, qp.state());
                if (closed) {
                    qp.close();
                    qp = pair.pd.createQueuePair(init);
                } else {
                    qp.modify(QpAttributes.builder().state(QpState.RESET).build());
                }
            }
            qp.connect(qp.localInfo());
            qp.postSend(pair.write(7, SIGNALED));
            assertEquals(List.of("7 SUCCESS"), pair.polled(deep));
            assertNothingFound();
        }
    }

    @Test
    void windowBindsOccupyCompletionQueueEntries() {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair pair = new LayeredPair(throwing)) {
            CompletionQueue small = pair.context.createCompletionQueue(1);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small).build());
            qp.connect(pair.receiver.localInfo());
            MemoryRegion region = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
            MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
            MwBind bind = new MwBind(region, region.address(), 64, Access.REMOTE_WRITE);
            qp.bindMemoryWindow(window, 1, SIGNALED, bind);
            int key = window.rkey();
            StrictViolationException refused = assertThrows(StrictViolationException.class,
                    () -> qp.bindMemoryWindow(window, 2, SIGNALED, bind));
            assertEquals(Kind.COMPLETION_QUEUE_TOO_SMALL, refused.violation().kind());
            assertEquals(key, window.rkey());
            assertEquals(List.of("1 SUCCESS"), pair.await(small, 1));
        }
    }

    @Test
    void rejectedRequestsOccupyNoCompletionQueueEntry() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue small = pair.context.createCompletionQueue(1);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small).build());
            for (int i = 0; i < 3; i++) {
                assertEquals(Errno.EINVAL.code(), qp.tryPostSend(pair.write(i, SIGNALED)), "errno in RESET");
                assertEquals(Errno.EINVAL.code(), qp.tryPostReceive(pair.receive(i)), "errno in RESET");
            }
            assertNothingFound();
        }
    }

    @Test
    void aResizeBelowTheExpectedCompletionsIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 4; i++) {
                pair.receiver.postReceive(pair.receive(i));
            }
            pair.recvCq.resize(4);
            assertNothingFound();
            pair.recvCq.resize(3);
            assertFound(Kind.COMPLETION_QUEUE_TOO_SMALL, "4 completions are expected", "resized to 3 entries");
        }
    }
}
