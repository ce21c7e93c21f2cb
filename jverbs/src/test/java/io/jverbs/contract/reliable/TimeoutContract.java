package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.fixture.Catalogue;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests timeouts: their length, what ends them, and that a response is reported without waiting for them. */
final class TimeoutContract extends QpStates {

    @ParameterizedTest
    @CsvSource({"10, 0", "10, 3", "12, 2", "13, 1"})
    @Catalogue({"F29", "F30"})
    void theTimeoutElapsesForEachTransmission(int code, int retries) {
        Pair pair = rightIn(QpType.RC, QpState.INIT, o -> o.timeout(code).retry(retries));
        long start = System.nanoTime();
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RETRY_EXC_ERR);
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        long least = leastSilenceNanos(code, retries + 1);
        assertTrue(taken.toNanos() >= least, () -> "gave up after " + taken + ", before " + least + " ns");
        // four times as long is allowed, plus a margin for a busy machine
        long most = 4 * (retries + 1) * (4096L << code) + 2_000_000_000L;
        assertTrue(taken.toNanos() <= most, () -> "gave up after " + taken + ", later than " + most + " ns");
    }

    @Test
    @Catalogue("F30")
    void sevenRetriesAreFinite() {
        Pair pair = rightIn(QpType.RC, QpState.INIT, o -> o.timeout(silentPeerTimeout()).retry(7));
        pair.left().post(message(pair, 1), message(pair, 2));
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2);
        pair.right().assertStays(QpState.INIT);
    }

    @Test
    @Catalogue("F29")
    void withTimeoutZeroNothingIsSentAgain() {
        Pair pair = rightIn(QpType.RC, QpState.INIT, o -> o.timeout(0).retry(7));
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.left().post(message(pair, 1).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().recvCq().assertQuiet();
        // now the peer would receive it
        pair.right().toRtr(pair.left());
        pair.right().recvCq().assertQuiet();
        inbox.assertEmpty();
        pair.left().assertStays(QpState.RTS);
        pair.left().modify(QpState.ERR);
        assertFlushed(pair.left().sendCq(), 1);
    }

    @Test
    @Catalogue({"F30", "F33"})
    void aMessageThatIsSentAgainArrivesOnce() {
        // 134 ms
        Pair pair = rightIn(QpType.RC, QpState.INIT, o -> o.timeout(15).retry(7));
        Inbox inbox = new Inbox(pair.right()).post(2);
        pair.left().post(message(pair, 1), message(pair, 2).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().toRtr(pair.left());
        expect(pair.left().awaitSend()).success().id(2);
        inbox.assertReceives(0, 1);
        inbox.assertReceives(1, 2);
        pair.right().recvCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("F34")
    void aNakIsReportedImmediatelyForAnyTimeout(RemoteOp operation) {
        // the timeout is infinite: only a response can complete the request
        Pair pair = rcPair(o -> apart(o).timeout(0));
        Region target = right.region(8);
        expect(pair.left().execute(operation.spec(target.address(), GARBAGE_KEY, left.region(8).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        target.assertZero();
    }

    @Test
    @Catalogue("F34")
    void aRefusedReceiveIsReportedImmediatelyForAnyTimeout() {
        Pair pair = rcPair(o -> apart(o).timeout(0));
        pair.right().postRecv(recv(right.region(8).sge()).id(5));
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.REM_INV_REQ_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR).id(5);
    }
}
