package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.Verbs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Closing a queue with unacknowledged events waits, and after one second logs what it waits for. */
final class UnacknowledgedEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.jverbs.EventCounter");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private boolean additive;

    @BeforeEach
    void collect() {
        additive = logger.isAdditive();
        logger.setAdditive(false);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void restore() {
        logger.detachAppender(log);
        logger.setAdditive(additive);
    }

    @Test
    void closingACompletionQueueWithUnacknowledgedEventsLogsThemOnceAndWaits()
            throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft"); ProtectionDomain pd = context.allocatePd()) {
            CompletionChannel channel = context.createCompletionChannel();
            CompletionQueue cq = context
                    .createCompletionQueue(CqInitAttributes.of(16).withChannel(channel).withUserContext("orders"));
            QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxRecvWr(1).build());
            cq.requestNotification(false);
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            qp.postReceive(ReceiveWorkRequest.create(1));
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            assertSame(cq, channel.awaitEvent(PATIENCE));
            qp.close();
            Thread closer = Thread.ofPlatform().start(cq::close);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (log.list.isEmpty() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertEquals(1, log.list.size());
            ILoggingEvent warning = log.list.getFirst();
            assertEquals(Level.WARN, warning.getLevel());
            for (String part : List.of("completion queue", "orders", "1 completion events", "acknowledgeEvents")) {
                assertTrue(warning.getFormattedMessage().contains(part), warning.getFormattedMessage());
            }
            assertFalse(closer.join(Duration.ofMillis(10)));
            cq.acknowledgeEvents(1);
            assertTrue(closer.join(PATIENCE));
            assertEquals(1, log.list.size());
        }
    }
}
