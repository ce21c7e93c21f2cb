package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Mtu;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.Verbs;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.Violation.Kind;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks a strict mode listener that throws, as one does that calls {@code fail} in a test. The exception reaches the
 * program, and no request or completion is lost.
 */
final class StrictListenerTest {
    private static final int SIGNALED = SendFlags.SIGNALED;

    private final StrictMode failing = StrictMode.reporting(violation -> {
        throw new AssertionError(violation.kind().toString());
    });

    private static void assertThrown(Kind kind, Runnable call) {
        assertEquals(kind.toString(), assertThrows(AssertionError.class, call::run).getMessage());
    }

    @Test
    void aPollReturnsItsCompletionsAndTheNextPollThrowsBeforeItPolls() {
        try (LayeredPair pair = new LayeredPair(failing)) {
            pair.sender.postSend(pair.write(1, SIGNALED));
            pair.sender.postSend(pair.write(2, SIGNALED));
            pair.source.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.polled(pair.sendCq));
            pair.sender.postSend(pair.write(3, SIGNALED));
            AssertionError thrown = assertThrows(AssertionError.class, () -> pair.polled(pair.sendCq));
            assertEquals(1, thrown.getSuppressed().length, "suppressed exceptions, one for each further violation");
            assertEquals(List.of("3 SUCCESS"), pair.polled(pair.sendCq));
            closeAll(pair);
        }
    }

    @Test
    void aPostThatThrowsPostsNothing() {
        try (LayeredPair pair = new LayeredPair(failing)) {
            pair.reconnectSender(14, 7, 0);
            assertThrown(Kind.NO_RECEIVE_POSTED,
                    () -> pair.sender.postSend(pair.write(1, SIGNALED).next(pair.send(2))));
            assertEquals(List.of(), pair.polled(pair.sendCq));
            assertEquals(QpState.RTS, pair.sender.state());
            closeAll(pair);
        }
    }

    @Test
    void aModifyIsExecutedAndTheNextPollThrows() {
        try (LayeredPair pair = new LayeredPair(failing)) {
            StrictPeersTest.connectWith(pair, Mtu.MTU_1024, 16, 0);
            assertEquals(QpState.RTS, pair.sender.state());
            assertThrown(Kind.MTU_MISMATCH, () -> pair.polled(pair.sendCq));
            closeAll(pair);
        }
    }

    /** Closes all objects, so that closing the context reports nothing. */
    private static void closeAll(LayeredPair pair) {
        for (AutoCloseable each : List.of(pair.sender, pair.receiver, pair.source, pair.target, pair.sendCq,
                pair.recvCq,
                pair.channel, pair.pd)) {
            try {
                each.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aContextIsClosedThoughTheListenerThrows() throws InterruptedException {
        String selector = "soft:sim0?seed=7&network=listener";
        RdmaContext context = Verbs.select(selector).open(failing);
        SimulatedNetwork network = context.device().capability(SimulatedNetwork.class).orElseThrow();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(4, channel);
        QueuePair qp = context.allocatePd().createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).qkey(1).build());
        qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        cq.requestNotification(false);
        qp.postReceive(ReceiveWorkRequest.create(0));
        assertSame(cq, channel.awaitEvent(Duration.ofSeconds(10)));
        AssertionError thrown = assertThrows(AssertionError.class, context::close);
        assertEquals(Kind.EVENTS_NOT_ACKNOWLEDGED.toString(), thrown.getMessage());
        assertEquals(Kind.OBJECT_LEAKED.toString(), thrown.getSuppressed()[0].getMessage());
        try (RdmaContext next = Verbs.open(selector)) {
            assertNotSame(network, next.device().capability(SimulatedNetwork.class).orElseThrow(),
                    "the network still exists after its last context was closed");
        }
    }
}
