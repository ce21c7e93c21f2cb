package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.fixture.Catalogue;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests RNR: waiting, counting of retries, failure, and the requests behind. */
final class RnrContract extends QpStates {

    /** 10 microseconds. */
    private static final int SHORTEST = 1;

    /** The longest timer, 655 milliseconds: longer than the quiet time and a slow command. */
    private static final int LONG = 0;

    /** Requests that consume a receive. */
    enum Message {
        SEND,
        SEND_WITH_IMMEDIATE,
        SEND_OF_NOTHING,
        SEND_OF_MANY_PACKETS,
        WRITE_WITH_IMMEDIATE,
        WRITE_OF_MANY_PACKETS_WITH_IMMEDIATE,
        WRITE_OF_NOTHING_WITH_IMMEDIATE
    }

    private SendSpec request(Message message, Region target) {
        Region source = left.region(4096).fill(1);
        return switch (message) {
            case SEND -> send(source.sge(0, 64));
            case SEND_WITH_IMMEDIATE -> sendImm(1, source.sge(0, 64));
            case SEND_OF_NOTHING -> send();
            case SEND_OF_MANY_PACKETS -> send(source.sge());
            case WRITE_WITH_IMMEDIATE -> writeImm(1, target, source.sge(0, 64));
            case WRITE_OF_MANY_PACKETS_WITH_IMMEDIATE -> writeImm(1, target, source.sge());
            case WRITE_OF_NOTHING_WITH_IMMEDIATE -> writeImm(1, target);
        };
    }

    private static Duration timed(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue({"F23", "F24", "F35"})
    void aMessageWithoutReceiveFailsTheSenderOnly(Message message) {
        Pair pair = rcPair(o -> apart(o).rnrRetry(0));
        Region target = right.region(4096);
        pair.left().post(request(message, target).id(1), request(message, target).id(2).signaled(),
                request(message, target).id(3));
        expect(pair.left().awaitSend()).status(WcStatus.RNR_RETRY_EXC_ERR).id(1).qp(pair.left());
        assertFlushed(pair.left().sendCq(), 2, 3);
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
        pair.right().recvCq().assertQuiet();
        right.assertNoAsync();
        left.assertNoAsync();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue({"F23", "F25"})
    void aReceivePostedInTimeTakesTheMessage(Message message) {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(SHORTEST));
        Region target = right.region(4096);
        Region sink = right.region(4096);
        pair.left().post(request(message, target).id(1).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().postRecv(recv(sink.sge()).id(2));
        expect(pair.left().awaitSend()).success().id(1);
        expect(pair.right().awaitRecv()).success().id(2);
        switch (message) {
            case SEND, SEND_WITH_IMMEDIATE -> sink.assertHolds(0, 64, 1);
            case SEND_OF_MANY_PACKETS -> sink.assertHolds(1);
            case WRITE_WITH_IMMEDIATE -> target.assertHolds(0, 64, 1);
            case WRITE_OF_MANY_PACKETS_WITH_IMMEDIATE -> target.assertHolds(1);
            default -> {
                sink.assertZero();
                target.assertZero();
            }
        }
        pair.right().recvCq().assertQuiet();
    }

    @ParameterizedTest
    @CsvSource({"20, 1, 10.24", "20, 4, 10.24", "22, 2, 20.48", "24, 1, 40.96", "0, 1, 655.36"})
    @Catalogue({"F23", "F24"})
    void theRequesterWaitsForTheRnrTimerOfTheResponderBeforeEachRetry(int timer, int retries, double millis) {
        // the timer of the requester applies to its own responder only
        Pair pair = rcPair(o -> o.rnrRetry(retries).left(l -> l.minRnrTimer(SHORTEST))
                .right(r -> r.minRnrTimer(timer)));
        Duration taken = timed(
                () -> expect(pair.left().execute(message(pair, 1))).status(WcStatus.RNR_RETRY_EXC_ERR));
        assertTrue(taken.toNanos() >= retries * millis * 1e6,
                () -> retries + " retries of " + millis + " ms took only " + taken);
    }

    @Test
    @Catalogue({"F23", "F24"})
    void theRequestersOwnTimerDoesNotDelayIt() {
        // timer code 0 is 655 ms: the limit is below six such waits, but allows for a machine that stalls
        Pair pair = rcPair(o -> o.rnrRetry(6).left(l -> l.minRnrTimer(0)).right(r -> r.minRnrTimer(SHORTEST)));
        Duration taken = timed(
                () -> expect(pair.left().execute(message(pair, 1))).status(WcStatus.RNR_RETRY_EXC_ERR));
        assertTrue(taken.toMillis() < 3800, () -> "6 retries of 10 us took " + taken);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6})
    @Catalogue("F24")
    void afterTheRetriesTheRequestFails(int retries) {
        // the timeout is so long that no message is sent again because of it and arrives after the receive was posted
        Pair pair = rcPair(o -> apart(o).rnrRetry(retries).minRnrTimer(SHORTEST).timeout(21));
        expect(pair.left().execute(message(pair, 9))).status(WcStatus.RNR_RETRY_EXC_ERR).id(9);
        pair.left().awaitState(QpState.ERR);
        // a receive posted too late is not used
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.right().recvCq().assertQuiet();
        inbox.assertEmpty();
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("F25")
    void progressRestoresTheRetries() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(1).minRnrTimer(LONG));
        Inbox inbox = new Inbox(pair.right());
        for (int i = 0; i < 2; i++) {
            SendSpec message = message(pair, i).signaled();
            RecvSpec next = inbox.next();
            // each message uses the only retry
            pair.left().post(message);
            pair.left().sendCq().assertQuiet();
            pair.right().postRecv(next);
            expect(pair.left().awaitSend()).success().id(i);
            inbox.assertReceives(i, i);
        }
    }

    @Test
    @Catalogue("F26")
    void aWriteWithImmediateNeedsItsReceiveAtTheLastPacketOnly() {
        Pair pair = rcPair(o -> apart(o).mtu(Mtu.MTU_256).rnrRetry(0));
        Region target = right.region(1024);
        expect(pair.left().execute(writeImm(1, target, left.region(1024).fill(1).sge())))
                .status(WcStatus.RNR_RETRY_EXC_ERR);
        target.assertHolds(0, 768, 1);
        target.assertZero(768, 256);
    }

    @Test
    @Catalogue("F26")
    void aWriteWithImmediateIsRetriedFromItsLastPacket() {
        Pair pair = rcPair(o -> apart(o).mtu(Mtu.MTU_256).rnrRetry(7).minRnrTimer(SHORTEST));
        Region target = right.region(1024);
        Region source = left.region(1024).fill(1);
        pair.left().post(writeImm(1, target, source.sge()).signaled());
        target.awaitHolds(0, 768, 1);
        pair.left().sendCq().assertQuiet();
        // packets that were written are not written again
        target.fill(0, 768, 2);
        pair.right().postRecv(recv().id(3));
        expect(pair.right().awaitRecv()).success().id(3).bytes(1024).immediate(1);
        expect(pair.left().awaitSend()).success();
        target.assertHolds(0, 768, 2);
        byte[] last = target.bytes(768, 256);
        assertArrayEquals(source.bytes(768, 256), last);
    }

    @Test
    @Catalogue("F26")
    void aSendOfManyPacketsNeedsItsReceiveAtTheFirstPacket() {
        Pair pair = rcPair(o -> apart(o).mtu(Mtu.MTU_256).rnrRetry(7).minRnrTimer(SHORTEST));
        Region sink = right.region(1024);
        pair.left().post(send(left.region(1024).fill(1).sge()).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().postRecv(recv(sink.sge()).id(1));
        expect(pair.right().awaitRecv()).success().id(1).bytes(1024);
        sink.assertHolds(1);
        expect(pair.left().awaitSend()).success();
        pair.right().recvCq().assertQuiet();
    }

    @Test
    @Catalogue("F27")
    void noRequestBehindTheDelayedOneIsExecuted() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(SHORTEST));
        Region target = right.region(64);
        Region counter = right.region(8);
        pair.left().post(message(pair, 1), write(target, left.region(64).fill(2).sge()).id(2),
                fetchAndAdd(counter, 1, left.region(8).sge()).id(3).signaled());
        pair.left().sendCq().assertQuiet();
        target.assertZero();
        counter.assertZero();
        pair.right().assertStays(QpState.RTS);
        Inbox inbox = new Inbox(pair.right()).post(1);
        expect(pair.left().awaitSend()).success().id(3);
        inbox.assertReceives(0, 1);
        target.assertHolds(2);
        assertEquals(1, counter.load(0));
    }

    @Test
    @Catalogue("F28")
    void rnrRetriesConsumeNoTransportRetry() {
        Pair pair = rcPair(o -> apart(o).retry(0).timeout(21).rnrRetry(7).minRnrTimer(SHORTEST));
        pair.left().post(message(pair, 1).signaled());
        pair.left().sendCq().assertQuiet();
        Inbox inbox = new Inbox(pair.right()).post(1);
        inbox.assertReceives(0, 1);
        expect(pair.left().awaitSend()).success();
    }

    @Test
    @Catalogue("F28")
    void timeoutsConsumeNoRnrRetry() {
        // the peer does not receive at first; 134 ms, seven times
        Pair pair = rcPair(o -> apart(o).timeout(15).retry(7).rnrRetry(0).right(r -> r.upTo(QpState.INIT)));
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.left().post(message(pair, 1).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().toRtr(pair.left());
        inbox.assertReceives(0, 1);
        expect(pair.left().awaitSend()).success();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 4096})
    @Catalogue("F36")
    void withoutReceiveABadKeyOrTheMissingReceiveIsReported(int length) {
        Pair pair = rcPair(o -> apart(o).rnrRetry(0));
        Region target = right.region(4096);
        SendSpec request = SendSpec.writeImm(1, target.address(), GARBAGE_KEY, left.region(length).fill(1).sge());
        expect(pair.left().execute(request)).status(WcStatus.REM_ACCESS_ERR, WcStatus.RNR_RETRY_EXC_ERR);
        pair.left().awaitState(QpState.ERR);
        target.assertZero();
        pair.right().recvCq().assertQuiet();
    }
}
