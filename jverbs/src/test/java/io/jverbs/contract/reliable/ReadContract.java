package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests READs: how many may be outstanding, what they need, and where their data is written. */
final class ReadContract extends QpStates {

    private static final int PIECE = 64;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16})
    @Catalogue("F7")
    void readsAndAtomicsBeyondTheLimitAreQueued(int allowed) {
        int count = 24;
        Pair pair = rcPair(o -> o.rdAtomic(allowed).wrs(2 * count, 1).signalAll());
        Region source = right.region(count * PIECE).fill(7);
        Region counter = right.region(8);
        Region sink = left.region(count * PIECE);
        Region originals = left.region(count * 8);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.add(SendSpec.read(source.at((long) i * PIECE), source.rkey(), sink.sge((long) i * PIECE, PIECE))
                    .id(2L * i));
            chain.add(fetchAndAdd(counter, 1, originals.sge(8L * i, 8)).id(2L * i + 1));
        }
        pair.left().post(chain.toArray(SendSpec[]::new));
        List<Wc> seen = assertIds(pair.left().sendCq().await(2 * count), LongStream.range(0, 2 * count).toArray());
        seen.forEach(wc -> expect(wc).success());
        sink.assertHolds(7);
        assertEquals(count, counter.load(0));
        for (int i = 0; i < count; i++) {
            assertEquals(i, originals.load(8L * i));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F7")
    void aRequesterWithMaxRdAtomicZeroRefusesReadsAndAtomics(RemoteOp operation) {
        Pair pair = rcPair(o -> o.left(l -> l.maxRdAtomic(0)));
        Region target = right.region(8);
        PostResult posted = pair.left().tryPost(operation.on(target, left.region(8).sge()).signaled());
        if (posted.ok()) {
            expect(pair.left().awaitSend()).status(WcStatus.LOC_QP_OP_ERR);
        } else {
            assertEquals(Errno.EINVAL.code(), posted.errno());
            // other requests still work
            pair.left().succeed(write(target, left.region(8).fill(1).sge()));
            target.assertHolds(1);
            return;
        }
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F8")
    void aResponderWithMaxDestRdAtomicZeroRefusesReadsAndAtomics(RemoteOp operation) {
        Pair pair = rcPair(o -> o.right(r -> r.maxDestRdAtomic(0)));
        Region target = right.region(8);
        pair.left().succeed(RemoteOp.WRITE.on(target, left.region(8).store(0, 0).sge()));
        expect(pair.left().execute(operation.on(target, left.region(8).sge()))).status(WcStatus.REM_INV_REQ_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.QP_REQ_ERR).qp());
        target.assertZero();
    }

    @Test
    @Catalogue("F9")
    void aRequesterDeeperThanTheResponderSucceedsOrIsRefused() {
        int count = 32;
        Pair pair = rcPair(o -> o.left(l -> l.maxRdAtomic(16).wrs(count, 1).signalAll())
                .right(r -> r.maxDestRdAtomic(1)));
        Region source = right.region(4096).fill(7);
        Region sink = left.region(count * 4096);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.add(read(source, sink.sge(i * 4096L, 4096)).id(i));
        }
        pair.left().post(chain.toArray(SendSpec[]::new));
        boolean refused = false;
        for (Wc wc : assertIds(pair.left().sendCq().await(count), LongStream.range(0, count).toArray())) {
            if (refused) {
                expect(wc).flushed();
            } else {
                expect(wc).status(WcStatus.SUCCESS, WcStatus.REM_INV_REQ_ERR);
                refused = !wc.success();
            }
            if (wc.success()) {
                sink.assertHolds(wc.wrId() * 4096, 4096, 7);
            }
        }
    }

    @Test
    @Catalogue({"F10", "F42"})
    void aReadTakesNoReceiveAndCompletesAtTheRequesterOnly() {
        Pair pair = rcPair(this::apart);
        Inbox inbox = new Inbox(pair.right()).post(1);
        Region source = right.region(PIECE, Access.REMOTE_READ).fill(7);
        Region sink = left.region(PIECE);
        expect(pair.left().succeed(read(source, sink.sge()).id(3))).id(3).opcode(WcOpcode.RDMA_READ).bytes(PIECE);
        sink.assertHolds(7);
        source.assertHolds(7);
        // the message behind the READ uses the receive, whose completion is the first
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
        pair.right().recvCq().assertQuiet();
        pair.right().sendCq().assertQuiet();
        right.assertNoAsync();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Catalogue("F11")
    void aReadOfZeroBytesSucceedsAndWritesNothing(boolean withElement) {
        Pair pair = rcPair();
        Region source = right.region(PIECE).fill(7);
        Region sink = left.region(PIECE);
        SendSpec request = withElement ? read(source, sink.sge(0, 0)) : read(source);
        expect(pair.left().succeed(request.id(11))).id(11).opcode(WcOpcode.RDMA_READ).bytes(0);
        sink.assertZero();
        // both sides agree about the PSNs
        pair.left().succeed(read(source, sink.sge()));
        sink.assertHolds(7);
        assertDelivers(pair);
    }

    @Test
    @Catalogue("F12")
    void scatterElementsAreFilledInOrder() {
        Pair pair = rcPair(o -> o.sges(4, 4));
        Region source = right.region(3000).fill(7);
        Region first = left.region(4096);
        Region second = left.region(4096);
        expect(pair.left().succeed(read(source, second.sge(100, 1000), first.sge(2000, 1), first.sge(0, 999),
                second.sge(2100, 1000)))).bytes(3000);
        byte[] expected = source.bytes(0, 3000);
        List<Byte> seen = new ArrayList<>();
        for (byte[] part : List.of(second.bytes(100, 1000), first.bytes(2000, 1), first.bytes(0, 999),
                second.bytes(2100, 1000))) {
            for (byte b : part) {
                seen.add(b);
            }
        }
        for (int i = 0; i < expected.length; i++) {
            int at = i;
            assertEquals(expected[i], seen.get(i), () -> "byte " + at);
        }
        second.assertZero(0, 100);
        second.assertZero(1100, 1000);
        first.assertZero(999, 1001);
        first.assertZero(2001, 2095);
    }

    @Test
    @Catalogue({"F5", "F46"})
    void aWordCopiedByAlternatingReadsAndFencedWritesArrives() {
        int rounds = 12;
        Pair pair = rcPair(o -> o.wrs(2 * rounds, 1));
        Region far = right.region((rounds + 1) * 8L).store(0, 0x46);
        Region near = left.region(rounds * 8L);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            // read a word, write it to the next slot of the peer, read it from there
            chain.add(SendSpec.read(far.at(8L * i), far.rkey(), near.sge(8L * i, 8)));
            chain.add(SendSpec.write(far.at(8L * (i + 1)), far.rkey(), near.sge(8L * i, 8)).fenced());
        }
        chain.set(chain.size() - 1, chain.getLast().signaled().id(99));
        pair.left().post(chain.toArray(SendSpec[]::new));
        expect(pair.left().awaitSend()).success().id(99);
        for (int i = 0; i <= rounds; i++) {
            assertEquals(0x46, far.load(8L * i), "slot " + i);
        }
    }
}
