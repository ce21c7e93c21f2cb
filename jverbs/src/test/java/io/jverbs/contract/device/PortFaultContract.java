package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that no messages are exchanged if a cable is pulled, an address is removed, or the P_Keys do not match. */
@Isolated("changes the port, which other tests share")
final class PortFaultContract extends QpStates {
    private static final int GRH = 40;

    @Test
    @Catalogue({"F31", "F33"})
    void progressRestoresTheRetries() {
        requires(right, Ability.PORT_CONTROL);
        // one retry after 268 ms, which each message needs
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
    void aPulledCableFailsTheSenderOnly() {
        requires(right, Ability.PORT_CONTROL);
        Pair pair = rcPair(o -> apart(o).timeout(silentPeerTimeout()).retry(1));
        new Inbox(pair.right()).post(1);
        right.end().pullCable(Side.PORT);
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RETRY_EXC_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().recvCq().assertQuiet();
        pair.right().assertStays(QpState.RTS);
    }

    /** Sends a message that must neither arrive nor be acknowledged. */
    private void assertDropped(Pair pair, Qp sender) {
        Qp peer = sender == pair.left() ? pair.right() : pair.left();
        Region source = sender.side().region(8).fill(1);
        if (sender.type() == QpType.UD) {
            peer.postRecv(recv(peer.side().region(GRH + 8).sge()));
            sender.succeed(from(pair, sender, send(source.sge())));
        } else {
            Region target = peer.side().region(8);
            WcStatus end = sender.type() == QpType.RC ? WcStatus.RETRY_EXC_ERR : WcStatus.SUCCESS;
            expect(sender.execute(write(target, source.sge()))).status(end);
            target.assertZero();
        }
        peer.recvCq().assertQuiet();
        peer.assertStays(QpState.RTS);
    }

    private Pair pairWithSilentPeer(QpType type) {
        return pair(type, o -> {
            apart(o);
            if (type == QpType.RC) {
                o.timeout(silentPeerTimeout()).retry(1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("F33")
    void noPacketIsSentWhileTheCableIsPulled(QpType type) {
        requires(left, Ability.PORT_CONTROL);
        Pair pair = pairWithSilentPeer(type);
        left.end().pullCable(Side.PORT);
        assertDropped(pair, pair.left());
        left.end().plugCable(Side.PORT);
        left.drainAsync();
    }

    @ParameterizedTest
    @CsvSource({"RC, true", "RC, false", "UC, true", "UC, false", "UD, true", "UD, false"})
    @Catalogue({"A19", "F33"})
    void aRemovedGidNeitherSendsNorReceives(QpType type, boolean sends) {
        requires(left, Ability.PORT_CONTROL);
        Pair pair = pairWithSilentPeer(type);
        Gid gid = left.gid();
        left.end().removeGid(Side.PORT, left.gidIndex());
        try {
            pair.left().assertStays(QpState.RTS);
            assertDropped(pair, sends ? pair.left() : pair.right());
        } finally {
            assertEquals(left.gidIndex(), left.end().addGid(Side.PORT, gid));
            left.drainAsync();
        }
    }

    @Test
    @Catalogue({"A19", "F31"})
    void aConnectionContinuesWhenItsGidIsAddedAgain() {
        requires(left, Ability.PORT_CONTROL);
        // one retry after 268 ms
        Pair pair = rcPair(o -> apart(o).timeout(16).retry(1));
        Region target = right.region(8);
        Gid gid = left.gid();
        left.end().removeGid(Side.PORT, left.gidIndex());
        try {
            pair.left().post(write(target, left.region(8).fill(1).sge()).signaled());
            pair.left().sendCq().assertQuiet();
        } finally {
            assertEquals(left.gidIndex(), left.end().addGid(Side.PORT, gid));
            left.drainAsync();
        }
        expect(pair.left().awaitSend()).success();
        target.assertHolds(0, 8, 1);
    }

    @Test
    @Catalogue("F33")
    void requestsOfAnotherPartitionAreDropped() {
        requires(left, Ability.PORT_CONTROL);
        left.end().setPkey(Side.PORT, 5, 0x8123);
        left.drainAsync();
        Region target = right.region(8);
        Pair pair = rcPair(o -> apart(o).timeout(silentPeerTimeout()).retry(1).left(l -> l.pkeyIndex(5)));
        pair.left().post(write(target, left.region(8).fill(1).sge()).id(1), message(pair, 2));
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2);
        pair.left().awaitState(QpState.ERR);
        target.assertZero();
        pair.right().assertStays(QpState.RTS);
    }
}
