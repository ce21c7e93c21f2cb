package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.jverbs.CompletionChannel;
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
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.strict.StrictMode;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Closing a queue with unacknowledged events waits, and after one second logs once what it waits for. */
final class UnacknowledgedEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    final CapturedLog log = CapturedLog.named("io.jverbs.spi.EventCounter", StrictMode.class.getName());

    /** Creates a completion queue without queue pairs, whose channel got an event for each of some receives. */
    private static CompletionQueue queueWithEvents(RdmaContext context, ProtectionDomain pd, int count)
            throws InterruptedException {
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context
                .createCompletionQueue(CqInitAttributes.of(16).withChannel(channel).withUserContext("orders"));
        for (int i = 0; i < count; i++) {
            cq.requestNotification(false);
            QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxRecvWr(1).build());
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            qp.postReceive(ReceiveWorkRequest.create(1));
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            assertSame(cq, channel.awaitEvent(PATIENCE));
            qp.close();
        }
        return cq;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertTrue(condition.getAsBoolean());
    }

    /** Closes the queue, acknowledges when the close waits without a limit, and returns the only warning. */
    private String warningOfClose(CompletionQueue cq, int events) throws InterruptedException {
        Thread closer = Thread.ofPlatform().start(cq::close);
        await(() -> closer.getState() == Thread.State.WAITING);
        cq.acknowledgeEvents(events);
        assertTrue(closer.join(PATIENCE));
        List<ILoggingEvent> logged = log.events();
        assertEquals(1, logged.size(), logged::toString);
        assertEquals(Level.WARN, logged.getFirst().getLevel());
        return logged.getFirst().getFormattedMessage();
    }

    /** Catalogue C5. */
    @ParameterizedTest
    @CsvSource({"1, acknowledges 1 completion event (", "2, acknowledges 2 completion events ("})
    void closingACompletionQueueWithUnacknowledgedEventsLogsThemOnceAndWaits(int events, String count)
            throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft"); ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = queueWithEvents(context, pd, events);

            String warning = warningOfClose(cq, events);
            for (String part : List.of("completion queue", "orders", count, "acknowledgeEvents")) {
                assertTrue(warning.contains(part), warning);
            }
        }
    }

    /** Catalogue C5. */
    @Test
    void withStrictModeTheOnlyWarningNamesWhereTheQueueWasCreated() throws InterruptedException {
        try (RdmaContext context = Verbs.select("soft").open(StrictMode.reporting());
                ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = queueWithEvents(context, pd, 1);

            String warning = warningOfClose(cq, 1);
            for (String part : List.of("completion queue of 16 entries created at ", "queueWithEvents(",
                    "has 1 unacknowledged event. ")) {
                assertTrue(warning.contains(part), warning);
            }
        }
    }

    /** Catalogue C5. */
    @Test
    void anInterruptedCloseSaysHowManyEventsAreNotAcknowledged() throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft"); ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = queueWithEvents(context, pd, 1);

            Thread.currentThread().interrupt();
            VerbsException failure = assertThrows(VerbsException.class, cq::close);
            assertTrue(Thread.interrupted());
            assertEquals(Errno.EINTR, failure.error());
            assertTrue(failure.getMessage().contains("1 unacknowledged event: "), failure.getMessage());
            cq.acknowledgeEvents(1);
            cq.close();
        }
    }
}
