package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests inbound requests in each state: the column of inbound requests of the table of states. */
final class QpStateRequestContract extends QpStates {

    private static final List<QpState> NOT_RECEIVING = List.of(QpState.RESET, QpState.INIT, QpState.ERR);
    private static final List<QpState> RECEIVING = List.of(QpState.RTR, QpState.RTS, QpState.SQD);

    static Stream<Arguments> operationsNotReceiving() {
        return Stream.of(RemoteOp.values()).flatMap(op -> NOT_RECEIVING.stream().map(state -> Arguments.of(op, state)));
    }

    static Stream<Arguments> operationsReceiving() {
        return Stream.of(RemoteOp.values()).flatMap(op -> RECEIVING.stream().map(state -> Arguments.of(op, state)));
    }

    static Stream<Arguments> notReceiving() {
        return Stream.of(QpType.RC, QpType.UC, QpType.UD)
                .flatMap(type -> NOT_RECEIVING.stream().map(state -> Arguments.of(type, state)));
    }

    static Stream<Arguments> unreliableReceiving() {
        return Stream.of(QpType.UC, QpType.UD).flatMap(type -> Stream
                .of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE).map(state -> Arguments.of(type, state)));
    }

    private PairOptions silentPeer(PairOptions options) {
        return options.timeout(silentPeerTimeout()).retry(1);
    }

    /** Asserts the result of a request that gets no response. */
    private static void assertNoResponse(QpType type, QpState state, Wc wc) {
        if (type != QpType.RC) {
            expect(wc).success();
        } else if (state == QpState.ERR) {
            // [G] some devices respond
            expect(wc).status(WcStatus.RETRY_EXC_ERR, WcStatus.REM_OP_ERR);
        } else {
            expect(wc).status(WcStatus.RETRY_EXC_ERR, WcStatus.REM_OP_ERR, WcStatus.FATAL_ERR);
        }
    }

    @ParameterizedTest
    @MethodSource("notReceiving")
    @Catalogue({"D22", "D23"})
    void aMessageIsDroppedInStatesThatDoNotReceive(QpType type, QpState state) {
        Pair pair = rightIn(type, state, this::silentPeer);
        assertNoResponse(type, state, pair.left().execute(message(pair, 1)));
        right.assertNoAsync();
        pair.right().recvCq().assertEmpty();
        assertEquals(state, pair.right().state());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D22", "D23"})
    void inInitAMessageDoesNotUseThePostedReceive(QpType type) {
        Pair pair = rightIn(type, QpState.INIT, o -> o.timeout(shortTimeout()).retry(1));
        Inbox inbox = new Inbox(pair.right()).post(1);
        assertNoResponse(type, QpState.INIT, pair.left().execute(message(pair, 1)));
        if (type == QpType.RC) {
            pair.left().modify(QpState.RESET);
            pair.left().connect(pair.right());
        }
        assertLost(pair.right().recvCq());
        inbox.assertEmpty();
        pair.right().toRtr(pair.left());
        deliver(pair, 2);
        inbox.assertReceives(0, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D22", "D23"})
    void inErrAMessageIsDroppedThoughReceivesWerePosted(QpType type) {
        Pair pair = rightIn(type, QpState.RTS, this::silentPeer);
        Inbox inbox = new Inbox(pair.right()).post(2);
        pair.right().modify(QpState.ERR);
        assertFlushed(pair.right().recvCq(), 0, 1);
        assertNoResponse(type, QpState.ERR, pair.left().execute(message(pair, 1)));
        pair.right().recvCq().assertQuiet();
        inbox.assertEmpty();
    }

    @ParameterizedTest
    @MethodSource("operationsNotReceiving")
    @Catalogue({"D22", "D23"})
    void anOperationGetsNoResponseInStatesThatDoNotReceive(RemoteOp operation, QpState state) {
        Pair pair = rightIn(QpType.RC, state, this::silentPeer);
        Region target = right.region(64);
        Region local = left.region(8).fill(1);
        assertNoResponse(QpType.RC, state, pair.left().execute(operation.on(target, local.sge())));
        pair.left().awaitState(QpState.ERR);
        target.assertZero();
        local.assertHolds(1);
        right.assertNoAsync();
        assertEquals(state, pair.right().state());
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "ERR"})
    @Catalogue("D22")
    void anUnreliableWriteIsDroppedInStatesThatDoNotReceive(QpState state) {
        Pair pair = rightIn(QpType.UC, state);
        Region target = right.region(64);
        pair.left().succeed(write(target, left.region(64).fill(1).sge()));
        pair.right().assertStays(state);
        target.assertZero();
    }

    @ParameterizedTest
    @MethodSource("operationsReceiving")
    @Catalogue({"D22", "D23", "D25"})
    void anOperationIsExecutedInStatesThatReceive(RemoteOp operation, QpState state) {
        Pair pair = rightIn(QpType.RC, state);
        Region target = right.region(64).store(0, 0);
        Region local = left.region(8);
        expect(pair.left().succeed(operation.on(target, local.sge()).id(3))).id(3).opcode(operation.completion());
        if (operation.isAtomic()) {
            assertEquals(1, target.load(0));
        }
        pair.left().succeed(write(target, left.region(64).fill(2).sge()));
        target.assertHolds(2);
        Region back = left.region(64);
        pair.left().succeed(read(target, back.sge()));
        back.assertHolds(2);
        pair.right().assertStays(state);
    }

    @ParameterizedTest
    @EnumSource(names = {"RTR", "RTS", "SQD"})
    @Catalogue({"D22", "D23", "D25"})
    void aReliableMessageIsAcknowledgedInStatesThatReceive(QpState state) {
        Pair pair = rightIn(QpType.RC, state, o -> o.rnrRetry(0));
        Inbox inbox = new Inbox(pair.right()).post(2);
        for (int i = 0; i < 2; i++) {
            deliver(pair, i);
            inbox.assertReceives(i, i);
        }
        pair.left().assertStays(QpState.RTS);
        assertEquals(state, pair.right().state());
    }

    @ParameterizedTest
    @MethodSource("unreliableReceiving")
    @Catalogue("D22")
    void anUnreliableMessageArrivesInStatesThatReceive(QpType type, QpState state) {
        Pair pair = rightIn(type, state);
        Inbox inbox = new Inbox(pair.right()).post(1);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
        if (type == QpType.UC) {
            Region target = right.region(8);
            pair.left().succeed(write(target, left.region(8).store(0, 42).sge()));
            target.awaitLong(0, 42);
        }
        assertEquals(state, pair.right().state());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("D24")
    void theFirstRequestInRtrRaisesCommEst(QpType type) {
        Pair pair = rightIn(type, QpState.RTR);
        Region target = right.region(64);
        right.assertNoAsync();
        pair.left().succeed(write(target, left.region(64).sge()));
        AsyncInfo event = right.awaitAsync(AsyncEventType.COMM_EST);
        assertEquals(pair.right().id(), event.qp());
        // only the first request raises the event
        pair.left().succeed(write(target, left.region(64).sge()));
        pair.right().toRts();
        pair.left().succeed(write(target, left.region(64).sge()));
        right.assertNoAsync();
        left.assertNoAsync();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("D24")
    void aRequestInRtsRaisesNoCommEst(QpType type) {
        Pair pair = rightIn(type, QpState.RTS);
        pair.left().succeed(write(right.region(64), left.region(64).sge()));
        right.assertNoAsync();
    }

    @Test
    @Catalogue("D24")
    void aRequestWithAWrongPsnRaisesNoCommEst() {
        Pair pair = rightIn(QpType.RC, QpState.RTR,
                o -> silentPeer(o).left(l -> l.psn(100)).right(r -> r.rqPsn(500)));
        expect(pair.left().execute(write(right.region(64), left.region(64).sge()))).status(WcStatus.RETRY_EXC_ERR);
        right.assertNoAsync();
    }

    @Test
    @Catalogue({"D24", "D34"})
    void aResetQueuePairRaisesCommEstAgain() {
        Pair pair = rightIn(QpType.RC, QpState.RTR);
        for (int i = 0; i < 2; i++) {
            pair.left().succeed(write(right.region(64), left.region(64).sge()));
            assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.COMM_EST).qp());
            pair.left().modify(QpState.RESET);
            pair.right().modify(QpState.RESET);
            pair.right().toInit().toRtr(pair.left());
            pair.left().connect(pair.right());
        }
    }

    @Test
    @Catalogue("D25")
    void aPairInRtrAcknowledgesButDoesNotSend() {
        Pair pair = rightIn(QpType.RC, QpState.RTR);
        Inbox inbox = new Inbox(pair.right()).post(2);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
        SendSpec reply = message(pair, pair.right(), 2);
        assertEquals(Errno.EINVAL.code(), pair.right().tryPost(reply).errno());
        pair.right().toRts();
        Inbox back = new Inbox(pair.left()).post(1);
        expect(pair.right().execute(reply)).success();
        back.assertReceives(0, 2);
        deliver(pair, 3);
        inbox.assertReceives(1, 3);
    }

    @Test
    @Catalogue("D26")
    void aDelayedReadCompletesWhileItsResponderMovesToRts() {
        Pair pair = rightIn(QpType.RC, QpState.RTR, o -> o.rnrRetry(7).minRnrTimer(8));
        Region source = right.region(4096).fill(26);
        Region sink = left.region(4096);
        // the READ waits behind a message that waits for a receive
        pair.left().post(message(pair, 1).signaled(), read(source, sink.sge()).id(2).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().toRts();
        pair.left().sendCq().assertQuiet();
        Inbox inbox = new Inbox(pair.right()).post(1);
        assertIds(pair.left().sendCq().await(2), 1, 2).forEach(wc -> expect(wc).success());
        sink.assertHolds(26);
        inbox.assertReceives(0, 1);
    }

    @Test
    @Catalogue("D26")
    void readsContinueWhileTheirResponderMovesToRts() {
        int length = 1 << 18;
        Region source = right.region(length).fill(6);
        Region sink = left.region(length);
        for (int round = 0; round < 5; round++) {
            Pair pair = rightIn(QpType.RC, QpState.RTR);
            Qp requester = pair.left();
            List<SendSpec> reads = IntStream.range(0, 16)
                    .mapToObj(i -> read(source, sink.sge()).id(i).signaled()).collect(Collectors.toList());
            Job posting = left.background(end -> end.postSend(requester.id(), reads));
            pair.right().toRts();
            posting.await();
            for (Wc wc : requester.sendCq().await(16)) {
                expect(wc).success().bytes(length);
            }
            sink.assertHolds(6);
            assertEquals(QpState.RTS, pair.right().state());
        }
    }
}
