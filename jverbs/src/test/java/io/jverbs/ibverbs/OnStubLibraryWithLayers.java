package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests fault injection and strict mode on top of the native device with a stub of libibverbs.
 * {@link NativeDataPathTest} runs it.
 */
class OnStubLibraryWithLayers {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final WorkCompletions completions = WorkCompletions.create(16);
    private FaultInjection faults;
    private RdmaContext context;
    private CompletionChannel channel;
    private CompletionQueue cq;
    private QueuePair qp;

    private void open(FaultRule... rules) {
        faults = FaultInjection.of(rules);
        context = Verbs.select("stub").open(faults);
        channel = context.createCompletionChannel();
        cq = context.createCompletionQueue(64, channel);
        qp = context.allocatePd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
    }

    @AfterEach
    void close() {
        context.close();
    }

    private static SendWorkRequest send(long wrId, int flags, SendWorkRequest next) {
        return SendWorkRequest.create(0).flags(flags).wrId(wrId).next(next);
    }

    private List<String> polled() {
        int count = cq.poll(completions);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(completions.wrId(i) + " " + completions.status(i));
        }
        return all;
    }

    @Test
    void anInjectedPostFailurePassesTheRequestsBeforeItToTheDriver() {
        open(FaultRule.failSend(Errno.ENOMEM).nth(2));
        SendWorkRequest second = send(2, SendFlags.SIGNALED, send(3, SendFlags.SIGNALED, null));
        SendWorkRequest first = send(1, SendFlags.SIGNALED, second);

        assertEquals(Errno.ENOMEM.code(), qp.tryPostSend(first));

        assertSame(second, first.failed());
        assertEquals(List.of("1 SUCCESS"), polled());
        assertEquals(0, qp.tryPostSend(first));
        assertEquals(List.of("1 SUCCESS", "2 SUCCESS", "3 SUCCESS"), polled());
    }

    @Test
    void anInjectedCompletionErrorFlushesOutstandingRequests() {
        open(FaultRule.failCompletion(WcStatus.RNR_RETRY_EXC_ERR).nth(1));
        qp.postSend(send(1, SendFlags.SIGNALED, send(2, 0, send(3, SendFlags.SIGNALED, null))));

        assertEquals(List.of("1 RNR_RETRY_EXC_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR"), polled());
        assertEquals(QpState.ERR, qp.state());
    }

    @Test
    void aHeldCompletionRaisesItsEventWhenReleased() throws InterruptedException {
        open(FaultRule.hold().nth(1));
        cq.requestNotification(false);
        qp.postSend(send(1, SendFlags.SIGNALED, null));
        assertNull(channel.awaitEvent(Duration.ofMillis(20)));
        assertEquals(List.of(), polled());

        faults.release();

        assertSame(cq, channel.awaitEvent(LONG));
        cq.acknowledgeEvents(1);
        assertEquals(List.of("1 SUCCESS"), polled());
    }

    @Test
    void waitingThreadsAreWokenByAReleaseAndByARaisedEvent() throws Exception {
        open(FaultRule.hold().nth(1));
        cq.requestNotification(false);
        qp.postSend(send(1, SendFlags.SIGNALED, null));
        assertNull(channel.awaitEvent(Duration.ofMillis(20)));
        FutureTask<CompletionQueue> completion = new FutureTask<>(() -> channel.awaitEvent(Duration.ofHours(1)));
        FutureTask<AsyncEvent> async = new FutureTask<>(() -> context.awaitAsyncEvent(Duration.ofHours(1)));
        Thread.ofVirtual().start(completion);
        Thread.ofVirtual().start(async);

        faults.release();
        faults.raise(AsyncEventType.PORT_ERR, qp);

        assertSame(cq, completion.get(20, TimeUnit.SECONDS));
        cq.acknowledgeEvents(1);
        assertEquals(AsyncEventType.PORT_ERR, async.get(20, TimeUnit.SECONDS).type());
    }

    @Test
    void anInjectedEventIsDeliveredAndCloseReturnsOnceItIsAcknowledged() throws InterruptedException {
        open();
        faults.raise(AsyncEventType.QP_ACCESS_ERR, qp);
        try (AsyncEvent event = context.awaitAsyncEvent(LONG)) {
            assertSame(qp, event.queuePair());
            assertEquals(QpState.ERR, qp.state());
        }
        qp.close();
    }

    @Test
    void anInjectedRegistrationFailureIsThrown() {
        open(FaultRule.failRegistration(Errno.ENOMEM));
        assertEquals(Errno.ENOMEM,
                assertThrows(VerbsException.class, () -> context.allocatePd().allocate(64, 0)).error());
    }

    @Test
    void aPacketLossRuleIsRefused() {
        open();
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> Verbs.select("stub").open(FaultInjection.parse("lose,nth=3")));
        assertTrue(refused.getMessage().contains("device stub0 does not support packet loss; only software devices do"),
                refused::getMessage);
        assertThrows(IllegalArgumentException.class, () -> faults.add(FaultRule.losePacket()));
        assertEquals(List.of(), faults.hits());
    }

    @Test
    void strictModeReportsAPayloadChangedTooEarly() {
        StrictMode strict = StrictMode.reporting();
        open();
        try (RdmaContext watched = Verbs.select("stub").open(FaultInjection.of(), strict)) {
            ProtectionDomain pd = watched.allocatePd();
            CompletionQueue queue = watched.createCompletionQueue(16);
            QueuePair sender = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(queue).build());
            MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
            SendWorkRequest request = SendWorkRequest.create(1).flags(SendFlags.SIGNALED).sge(region, 0, 8);
            sender.postSend(request);
            assertEquals(1, queue.poll(completions));
            sender.postSend(request);
            region.segment().fill((byte) 1);
            assertEquals(List.of(), strict.violations());
            assertEquals(1, queue.poll(completions));
        }
        Violation violation = strict.violations().getFirst();
        assertEquals(Violation.Kind.PAYLOAD_CHANGED, violation.kind());
        assertEquals(OnStubLibraryWithLayers.class.getName(), violation.place().getClassName());
    }
}
