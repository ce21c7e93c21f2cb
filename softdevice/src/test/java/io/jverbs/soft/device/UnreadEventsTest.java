package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.control.PortControl;
import io.jverbs.fault.FaultInjection;
import io.jverbs.spi.DeviceLayer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Asynchronous events that the program does not retrieve are queued once for each object and type. */
final class UnreadEventsTest {
    private static final int OFTEN = 1000;
    private static final int PORT = 1;

    private static List<AsyncEventType> retrieved(RdmaContext context) throws InterruptedException {
        List<AsyncEventType> all = new ArrayList<>();
        AsyncEvent event;
        while ((event = context.awaitAsyncEvent(Duration.ZERO)) != null) {
            all.add(event.type());
            event.acknowledge();
        }
        return all;
    }

    private static QueuePair queuePair(RdmaContext context) {
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = context.createCompletionQueue(4);
        return pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq)
                .srq(pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1))).build());
    }

    @Test
    void anEventOfAQueuePairIsQueuedOnceHoweverOftenItOccurs() throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft")) {
            QueuePair qp = queuePair(context);
            for (int i = 0; i < OFTEN; i++) {
                qp.modify(QpAttributes.builder().state(QpState.INIT).port(PORT).pkeyIndex(0).accessFlags(0).build());
                qp.modify(QpAttributes.builder().state(QpState.ERR).build());
                qp.modify(QpAttributes.builder().state(QpState.RESET).build());
            }
            assertEquals(List.of(AsyncEventType.QP_LAST_WQE_REACHED), retrieved(context));
            assertEquals(List.of(), retrieved(context));
            qp.close();
        }
    }

    @Test
    void theLastEventOfAPortReportsItsState() throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft:soft77")) {
            PortControl port = context.device().capability(PortControl.class).orElseThrow();
            for (int i = 0; i < OFTEN; i++) {
                port.pullCable(PORT);
                port.plugCable(PORT);
            }
            assertEquals(List.of(AsyncEventType.PORT_ERR, AsyncEventType.PORT_ACTIVE), retrieved(context));
            port.pullCable(PORT);
            port.plugCable(PORT);
            port.pullCable(PORT);
            assertEquals(List.of(AsyncEventType.PORT_ACTIVE, AsyncEventType.PORT_ERR), retrieved(context));
            port.plugCable(PORT);
        }
    }

    @Test
    void injectedEventsAreQueuedOnce() throws InterruptedException {
        FaultInjection faults = FaultInjection.of();
        try (RdmaContext context = Verbs.select("soft").open(new DeviceLayer[] {faults})) {
            QueuePair qp = queuePair(context);
            for (int i = 0; i < OFTEN; i++) {
                faults.raise(AsyncEventType.PORT_ERR, qp);
                faults.raise(AsyncEventType.COMM_EST, qp);
                faults.raise(AsyncEventType.PORT_ACTIVE, qp);
            }
            assertEquals(List.of(AsyncEventType.COMM_EST, AsyncEventType.PORT_ERR, AsyncEventType.PORT_ACTIVE),
                    retrieved(context));
            faults.raise(AsyncEventType.COMM_EST, qp);
            qp.close();
            assertEquals(List.of(), retrieved(context));
        }
    }
}
