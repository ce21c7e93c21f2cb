package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.AhAttributes;
import io.jverbs.Mtu;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that queue pairs which reconnect with other attributes are not compared with the former attributes of the
 * peer.
 */
final class StrictReconnectTest {
    private static final int SIGNALED = SendFlags.SIGNALED;

    private final StrictMode throwing = StrictMode.throwing();

    private static void reconnect(LayeredPair pair, QueuePair qp, QueuePair peer, Mtu mtu) {
        qp.modify(QpAttributes.builder().state(QpState.RESET).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.localInfo().gid(), 1, pair.context.preferredGid(1).index()))
                .pathMtu(mtu).destinationQpn(peer.number()).rqPsn(peer.localInfo().psn()).maxDestRdAtomic(1)
                .minRnrTimer(1).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(qp.localInfo().psn()).timeout(14).retryCount(7)
                .rnrRetry(7).maxRdAtomic(1).build());
    }

    private void assertBothCanReconnect(LayeredPair pair) {
        reconnect(pair, pair.sender, pair.receiver, Mtu.MTU_1024);
        reconnect(pair, pair.receiver, pair.sender, Mtu.MTU_1024);
        assertEquals(List.of(), throwing.violations());
        assertEquals(QpState.RTS, pair.receiver.state());
    }

    @Test
    void queuePairsReconnectOneAfterTheOtherAfterBothHaveFailed() {
        try (LayeredPair pair = new LayeredPair(throwing)) {
            pair.sender.postSend(pair.write(1, SIGNALED).remote(0, 0));
            assertEquals(List.of("1 REM_ACCESS_ERR"), pair.await(pair.sendCq, 1));
            assertEquals(QpState.ERR, pair.receiver.state());
            assertBothCanReconnect(pair);
        }
    }

    @Test
    void queuePairsReconnectOneAfterTheOtherWhileTheSecondIsStillInRts() {
        try (LayeredPair pair = new LayeredPair(throwing)) {
            pair.sender.postSend(pair.write(1, SIGNALED).sge(0, 0, 8, 0));
            assertEquals(List.of("1 LOC_PROT_ERR"), pair.await(pair.sendCq, 1));
            assertEquals(QpState.RTS, pair.receiver.state());
            assertBothCanReconnect(pair);
        }
    }

    @Test
    void aQueuePairConnectsToOneThatFailedBeforeItsPeerWasConnected() {
        try (LayeredPair pair = new LayeredPair(throwing)) {
            pair.receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
            pair.sender.modify(QpAttributes.builder().state(QpState.RESET).build());
            reconnect(pair, pair.sender, pair.receiver, Mtu.MTU_4096);
            pair.sender.postSend(pair.write(1, SIGNALED).sge(0, 0, 8, 0));
            assertEquals(List.of("1 LOC_PROT_ERR"), pair.await(pair.sendCq, 1));
            reconnect(pair, pair.receiver, pair.sender, Mtu.MTU_1024);
            reconnect(pair, pair.sender, pair.receiver, Mtu.MTU_1024);
            assertEquals(List.of(), throwing.violations());
        }
    }

    @Test
    void theSecondQueuePairIsComparedWithThePresentAttributesOfTheFirst() {
        try (LayeredPair pair = new LayeredPair(throwing)) {
            reconnect(pair, pair.sender, pair.receiver, Mtu.MTU_1024);
            StrictViolationException refused = assertThrows(StrictViolationException.class,
                    () -> reconnect(pair, pair.receiver, pair.sender, Mtu.MTU_2048));
            assertEquals(Kind.MTU_MISMATCH, refused.violation().kind());
        }
    }
}
