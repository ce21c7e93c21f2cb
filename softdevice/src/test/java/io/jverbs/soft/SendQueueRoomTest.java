package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
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
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The error for a full send queue, and what else occupies its slots; catalogue item D37. {@code SendQueueRoomContract}
 * and {@code ReceiveQueueRoomContract} test what frees the slots of queues.
 */
final class SendQueueRoomTest {
    private static final int DEPTH = 16;
    private static final int ENOMEM = Errno.ENOMEM.code();

    private final WorkCompletions completions = WorkCompletions.create(2 * DEPTH);

    private static SendWorkRequest write(PairOfQueuePairs pair, int flags) {
        return pair.request(8).opcode(WrOpcode.RDMA_WRITE).flags(flags);
    }

    @Test
    void theErrorForAFullQueueSaysWhatFreesASlot() {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            SendWorkRequest unsignaled = write(pair, 0);
            for (int i = 0; i < DEPTH; i++) {
                pair.left.qp.postSend(unsignaled);
            }
            VerbsException full = assertThrows(VerbsException.class, () -> pair.left.qp.postSend(unsignaled));
            assertEquals(Errno.ENOMEM, full.error());
            assertTrue(
                    full.getMessage()
                            .endsWith("the send queue of 16 requests is full: a slot becomes free when the"
                                    + " completion of its request, or of a later SIGNALED request, has been polled"),
                    full::getMessage);
        }
    }

    @Test
    void windowBindsOccupySlotsUntilTheirCompletionsArePolled() {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            QueuePair qp = pair.left.qp;
            MemoryRegion region = pair.left.pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
            MemoryWindow window = pair.left.pd.allocateMemoryWindow(MwType.TYPE_1);
            MwBind bind = new MwBind(region, region.address(), 64, Access.REMOTE_READ);
            for (int i = 0; i < DEPTH; i++) {
                qp.bindMemoryWindow(window, i, i % 2 == 1 ? SendFlags.SIGNALED : 0, bind);
            }
            int key = window.rkey();
            VerbsException full = assertThrows(VerbsException.class,
                    () -> qp.bindMemoryWindow(window, 99, SendFlags.SIGNALED, bind));
            assertEquals(Errno.ENOMEM, full.error());
            assertEquals(key, window.rkey());
            assertEquals(ENOMEM, qp.tryPostSend(write(pair, 0)));
            pair.left.next();
            qp.bindMemoryWindow(window, 100, 0, bind);
            qp.postSend(write(pair, 0));
            assertEquals(ENOMEM, qp.tryPostSend(write(pair, 0)));
        }
    }

    /** A chain longer than the queue is never posted as a whole, even if another thread polls: it may be cyclic. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCyclicChainIsRefusedWhileAnotherThreadPolls(boolean inError) {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            if (inError) {
                pair.left.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            }
            CompletableFuture<Void> stop = new CompletableFuture<>();
            CompletableFuture<Void> poller = CompletableFuture.runAsync(() -> {
                while (!stop.isDone()) {
                    pair.left.cq.poll(completions);
                }
            });
            SendWorkRequest endless = write(pair, SendFlags.SIGNALED);
            endless.next(endless);
            for (int i = 0; i < 1000; i++) {
                assertEquals(ENOMEM, pair.left.qp.tryPostSend(endless));
            }
            endless.next(null);
            stop.complete(null);
            poller.orTimeout(20, TimeUnit.SECONDS).join();
        }
    }

    /** C15: a lost completion does not occupy a slot forever. */
    @Test
    void aQueuePairInErrAcceptsRequestsAfterItsCompletionQueueOverflowed() throws InterruptedException {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            CompletionQueue small = pair.left.context.createCompletionQueue(4);
            QueuePair qp = pair.left.pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(small).maxSendWr(DEPTH).build());
            qp.connect(qp.localInfo());
            SendWorkRequest signaled = SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED);
            for (int i = 0; i <= 4; i++) {
                qp.postSend(signaled);
            }
            assertEquals(AsyncEventType.CQ_ERR, pair.left.context.awaitAsyncEvent(Duration.ofSeconds(20)).type());
            assertEquals(QpState.ERR, qp.state());
            assertEquals(4, small.poll(completions));
            for (int i = 0; i < 3 * DEPTH; i++) {
                qp.postSend(signaled);
            }
        }
    }

    /** One thread posts whenever there is room, another one polls: no completion is lost, and each poll frees slots. */
    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft:127.0.9.15?fabric=wire"})
    void twoThreadsThatPostAndPollDoNotOverflowACompletionQueueOfTheSameDepth(String selector) {
        int count = 20_000;
        try (PairOfQueuePairs pair = new PairOfQueuePairs(selector, selector, QpType.RC)) {
            CompletionQueue cq = pair.left.context.createCompletionQueue(DEPTH);
            QueuePair qp = pair.left.pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(DEPTH).build());
            qp.connect(qp.localInfo());
            SendWorkRequest signaled = SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED);
            SendWorkRequest unsignaled = SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE).flags(0);
            CompletableFuture<Void> poster = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < count; i++) {
                    while (qp.tryPostSend(i % 3 == 0 ? signaled : unsignaled) != 0) {
                        assertEquals(QpState.RTS, qp.state());
                        Thread.onSpinWait();
                    }
                }
            });
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            int polled = 0;
            while (polled < (count + 2) / 3) {
                int some = cq.poll(completions, 1 + polled % DEPTH);
                for (int i = 0; i < some; i++) {
                    assertTrue(completions.isSuccess(i), completions::toString);
                }
                polled += some;
                assertTrue(System.nanoTime() < deadline, polled + " polled");
            }
            poster.orTimeout(20, TimeUnit.SECONDS).join();
            assertEquals(QpState.RTS, qp.state());
        }
    }

    /** One thread sends, another one posts receives while there is room: never more than the queue has slots. */
    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft:127.0.9.15?fabric=wire"})
    void receivesOccupySlotsUntilTheyArePolledWhileOthersArePosted(String selector) {
        try (PairOfQueuePairs pair = new PairOfQueuePairs(selector, selector, QpType.RC)) {
            CompletionQueue sends = pair.left.context.createCompletionQueue(DEPTH);
            CompletionQueue receives = pair.left.context.createCompletionQueue(DEPTH);
            QueuePair qp = pair.left.pd
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).sendCq(sends).recvCq(receives)
                            .maxSendWr(DEPTH).maxRecvWr(DEPTH).build());
            qp.connect(qp.localInfo());
            SendWorkRequest send = SendWorkRequest.create(0).flags(SendFlags.SIGNALED);
            CompletableFuture<Void> stop = new CompletableFuture<>();
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
                WorkCompletions sent = WorkCompletions.create(DEPTH);
                while (!stop.isDone()) {
                    qp.tryPostSend(send);
                    sends.poll(sent);
                }
            });
            ReceiveWorkRequest receive = ReceiveWorkRequest.create(0);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            int posted = 0;
            int polled = 0;
            while (polled < 20_000) {
                while (qp.tryPostReceive(receive) == 0) {
                    posted++;
                    assertTrue(posted - polled <= DEPTH, posted + " posted, " + polled + " polled");
                }
                // the device may not have counted the request of a polled completion as consumed yet; its slot is free
                // nevertheless
                assertEquals(DEPTH, posted - polled);
                polled += receives.poll(completions, 1 + polled % DEPTH);
                assertTrue(System.nanoTime() < deadline, polled + " polled");
            }
            stop.complete(null);
            sender.orTimeout(20, TimeUnit.SECONDS).join();
            assertEquals(QpState.RTS, qp.state());
        }
    }
}
