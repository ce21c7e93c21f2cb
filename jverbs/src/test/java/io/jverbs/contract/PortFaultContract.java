package io.jverbs.contract;

import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A pulled cable, and a partition that the peer is not in: the sender is not heard. */
@Isolated("others share the port")
final class PortFaultContract extends QpStates {

    @Test
    @Catalogue({"F31", "F33"})
    void progressRestoresTheRetries() {
        requires(right, Ability.PORT_CONTROL);
        // one retry after 268 ms: each message needs it
        Pair pair = rcPair(o -> apart(o).timeout(16).retry(1));
        Inbox inbox = new Inbox(pair.right()).post(2);
        for (int i = 0; i < 2; i++) {
            right.end().pullCable(Side.PORT);
            pair.left().post(message(pair, i).signaled());
            pair.left().sendCq().assertQuiet();
            right.end().plugCable(Side.PORT);
            expect(pair.left().awaitSend()).success().id(i);
            inbox.assertReceives(i, i);
        }
    }

    @Test
    @Catalogue("F33")
    void aPulledCableEndsInAFailureOfTheSenderAlone() {
        requires(right, Ability.PORT_CONTROL);
        Pair pair = rcPair(o -> apart(o).timeout(shortTimeout()).retry(1));
        new Inbox(pair.right()).post(1);
        right.end().pullCable(Side.PORT);
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RETRY_EXC_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().recvCq().assertQuiet();
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("F33")
    void anotherPartitionIsNotHeard() {
        requires(left, Ability.PORT_CONTROL);
        left.end().setPkey(Side.PORT, 5, 0x8123);
        left.drainAsync();
        Region target = right.region(8);
        Pair pair = rcPair(o -> apart(o).timeout(shortTimeout()).retry(1).left(l -> l.pkeyIndex(5)));
        pair.left().post(write(target, left.region(8).fill(1).sge()).id(1), message(pair, 2));
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2);
        pair.left().awaitState(QpState.ERR);
        target.assertZero();
        pair.right().assertStays(QpState.RTS);
    }
}
