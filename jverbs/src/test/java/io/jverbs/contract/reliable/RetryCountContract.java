package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a queue pair without retries makes none, neither after an RNR NAK nor after a timeout. */
final class RetryCountContract extends QpStates {

    @Test
    @Catalogue("F24")
    void withoutRetriesAMissingReceiveIsReportedBeforeTheRnrTimerExpires() {
        // timer code 0: a retry would follow after 655 ms
        Pair pair = rcPair(o -> apart(o).rnrRetry(0).minRnrTimer(0));
        pair.left().post(message(pair, 1).signaled());
        expect(pair.left().sendCq().await(1, 600).getFirst()).status(WcStatus.RNR_RETRY_EXC_ERR).id(1);
        pair.left().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("F30")
    void withoutRetriesALostMessageIsNotSentAgain() {
        // 268 ms
        Pair pair = rightIn(QpType.RC, QpState.INIT, o -> o.timeout(16).retry(0));
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.left().post(message(pair, 1).signaled());
        assertEquals(List.of(), pair.left().sendCq().poll(1));
        pair.right().recvCq().assertQuiet();
        // before the timeout, so that a second transmission would be received
        pair.right().toRtr(pair.left());
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1);
        pair.right().recvCq().assertQuiet();
        inbox.assertEmpty();
    }
}
