package io.jverbs.contract.posting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the order on a reliable connection: of execution, of completions, of data and completions, and of fenced
 * requests.
 */
final class OrderContract extends QpStates {

    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ;

    @Test
    @Catalogue("F1")
    void requestsOnOneWordExecuteInPostingOrder() {
        Pair pair = rcPair();
        Region word = right.region(8);
        Region values = left.region(16).store(0, 100).store(8, 200);
        Region results = left.region(40);
        // the fences prevent WRITEs from overtaking READs and atomics
        pair.left().post(write(word, values.sge(0, 8)), fetchAndAdd(word, 1, results.sge(0, 8)),
                fetchAndAdd(word, 10, results.sge(8, 8)), compareAndSwap(word, 111, 5, results.sge(16, 8)),
                write(word, values.sge(8, 8)).fenced(), read(word, results.sge(24, 8)),
                fetchAndAdd(word, 1, results.sge(32, 8)).fenced().signaled().id(7));
        expect(pair.left().awaitSend()).success().id(7);
        long[] seen = new long[5];
        for (int i = 0; i < seen.length; i++) {
            seen[i] = results.load(8L * i);
        }
        assertEquals(List.of(100L, 101L, 111L, 200L, 200L), Arrays.stream(seen).boxed().toList());
        assertEquals(201, word.load(0));
    }

    @Test
    @Catalogue("F1")
    void receivesAreConsumedInPostingOrderByEveryOpcode() {
        Pair pair = rcPair(this::apart);
        Region sinks = right.region(12 * 4096);
        Region source = left.region(4096).fill(1);
        Region target = right.region(64);
        int[] lengths = {1, 4096, 0, 1025, 64, 2048, 3, 1024, 4095, 0, 512, 7};
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            pair.right().postRecv(recv(sinks.sge(i * 4096L, 4096)).id(i));
            chain.add(i % 3 == 1
                    ? writeImm(i, target, source.sge(0, 32))
                    : i % 3 == 2 ? sendImm(i, source.sge(0, lengths[i])) : send(source.sge(0, lengths[i])));
        }
        pair.left().post(chain.toArray(SendSpec[]::new));
        for (int i = 0; i < lengths.length; i++) {
            Wc wc = pair.right().awaitRecv();
            expect(wc).success().id(i);
            if (i % 3 == 1) {
                expect(wc).opcode(WcOpcode.RECV_RDMA_WITH_IMM).bytes(32).immediate(i);
                sinks.assertZero(i * 4096L, 4096);
            } else {
                expect(wc).opcode(WcOpcode.RECV).bytes(lengths[i]);
                sinks.assertHolds(i * 4096L, lengths[i], 1);
            }
        }
        pair.right().recvCq().assertQuiet();
    }

    @Test
    @Catalogue("F2")
    void aCompletionImpliesThatAllEarlierRequestsAreDone() {
        int count = 14;
        Pair pair = rcPair(this::apart);
        Region target = right.region(count * 1000L);
        Region source = left.region(count * 1000L).fill(2);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chain.add(SendSpec.write(target.at(i * 1000L), target.rkey(), source.sge(i * 1000L, 1000)).id(i));
        }
        Region back = left.region(1000);
        chain.add(read(target, back.sge()).id(50));
        chain.add(fetchAndAdd(right.region(8), 1, left.region(8).sge()).id(51).signaled());
        pair.left().post(chain.toArray(SendSpec[]::new));
        expect(pair.left().awaitSend()).success().id(51);
        target.assertHolds(2);
        back.assertHolds(2);
        pair.left().sendCq().assertQuiet();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 7})
    @Catalogue("F2")
    void noRequestBehindAnErrorIsExecuted(int failing) {
        int count = 8;
        Pair pair = rcPair(o -> apart(o).signalAll());
        Region target = right.region(count * 8);
        Region source = left.region(8).store(0, -1);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int key = i == failing ? GARBAGE_KEY : target.rkey();
            chain.add(SendSpec.write(target.at(8L * i), key, source.sge()).id(i));
        }
        pair.left().post(chain.toArray(SendSpec[]::new));
        for (int i = 0; i < count; i++) {
            expect(pair.left().awaitSend()).id(i).status(i < failing
                    ? WcStatus.SUCCESS
                    : i == failing ? WcStatus.REM_ACCESS_ERR : WcStatus.WR_FLUSH_ERR);
        }
        for (int i = 0; i < count; i++) {
            assertEquals(i < failing ? -1 : 0, target.load(8L * i), "word " + i);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F4")
    void aFencedWriteExecutesAfterEarlierReadsAndAtomics(RemoteOp operation) {
        int rounds = 7;
        Pair pair = rcPair();
        Region words = right.region(rounds * 8);
        Region results = left.region(rounds * 8).fill(9);
        Region value = left.region(8).store(0, -1);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            chain.add(operation.spec(words.at(8L * i), words.rkey(), results.sge(8L * i, 8)));
            chain.add(SendSpec.write(words.at(8L * i), words.rkey(), value.sge()).fenced());
        }
        chain.set(chain.size() - 1, chain.getLast().signaled());
        pair.left().post(chain.toArray(SendSpec[]::new));
        expect(pair.left().awaitSend()).success();
        for (int i = 0; i < rounds; i++) {
            assertEquals(0, results.load(8L * i), "original of word " + i);
            assertEquals(-1, words.load(8L * i), "word " + i);
        }
    }

    @Test
    @Catalogue("F4")
    void anUnfencedWriteMayExecuteBeforeAnEarlierRead() {
        Pair pair = rcPair();
        Region word = right.region(8).store(0, 1);
        Region result = left.region(8).store(0, 77);
        Region value = left.region(8).store(0, 2);
        pair.left().post(read(word, result.sge()), write(word, value.sge()).signaled());
        expect(pair.left().awaitSend()).success();
        assertTrue(result.load(0) == 1 || result.load(0) == 2, () -> "read " + result.load(0));
        assertEquals(2, word.load(0));
    }

    @Test
    @Catalogue("F6")
    void aWindowIsBoundBeforeTheMessageBehindTheBindArrives() {
        Pair pair = rcPair(this::apart);
        Region region = right.region(4096);
        Window window = right.window(MwType.TYPE_2);
        int key = window.nextRkey();
        Inbox inbox = new Inbox(pair.left()).post(1);
        pair.right().post(window.bind(key, region.range(1024, 1024, WINDOW_ACCESS)), message(pair, pair.right(), 6));
        inbox.assertReceives(0, 6);
        pair.left().succeed(SendSpec.write(region.at(1024), key, left.region(64).fill(1).sge()));
        region.assertHolds(1024, 64, 1);
    }

    @Test
    @Catalogue("F6")
    void anInvalidationExecutesAfterEarlierRequests() {
        Pair pair = rcPair(o -> apart(o).left(l -> l.rnrRetry(7)).right(r -> r.rnrRetry(7)).minRnrTimer(1));
        Region region = right.region(4096);
        Window window = right.window(MwType.TYPE_2);
        int key = window.nextRkey();
        pair.right().succeed(window.bind(key, region.range(0, 4096, WINDOW_ACCESS)));
        // the message waits for a receive, so the invalidation behind it must wait as well
        pair.right().post(message(pair, pair.right(), 6).id(1).signaled(),
                SendSpec.localInvalidate(key).id(2).signaled(), message(pair, pair.right(), 7).id(3).signaled());
        pair.right().sendCq().assertQuiet();
        pair.left().succeed(SendSpec.write(region.address(), key, left.region(64).fill(1).sge()));
        region.assertHolds(0, 64, 1);
        Inbox inbox = new Inbox(pair.left()).post(2);
        assertIds(pair.right().sendCq().await(3), 1, 2, 3).forEach(wc -> expect(wc).success());
        inbox.assertReceives(0, 6);
        inbox.assertReceives(1, 7);
        expect(pair.left().execute(SendSpec.write(region.address(), key, left.region(64).fill(2).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        region.assertHolds(0, 64, 1);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("F42")
    void aSuccessfulAccessGeneratesNoCompletionAtThePeer(RemoteOp operation) {
        Pair pair = rcPair(this::apart);
        Inbox inbox = new Inbox(pair.right()).post(1);
        Region target = right.region(8);
        for (int i = 0; i < 4; i++) {
            expect(pair.left().succeed(operation.on(target, left.region(8).sge()))).opcode(operation.completion());
        }
        pair.right().recvCq().assertQuiet();
        pair.right().sendCq().assertQuiet();
        right.assertNoAsync();
        assertEquals(QpState.RTS, pair.right().state());
        deliver(pair, 42);
        inbox.assertReceives(0, 42);
    }

    @Test
    @Catalogue("F44")
    void aQueuePairConnectedToItselfExecutesEveryOperation() {
        Qp self = left.qp(QpType.RC, new QpOptions().separateCqs(left));
        self.connect(self);
        Region target = left.region(64);
        Region local = left.region(64).fill(44);
        Region sink = left.region(4 * 64);
        for (int i = 0; i < 4; i++) {
            self.postRecv(recv(sink.sge(i * 64L, 64)).id(i));
        }
        self.succeed(send(local.sge()));
        self.succeed(sendImm(0x4444, local.sge()));
        self.succeed(writeImm(0x5555, target, local.sge()));
        target.assertHolds(44);
        expect(self.awaitRecv()).success().id(0).opcode(WcOpcode.RECV).bytes(64).qp(self).plain();
        expect(self.awaitRecv()).success().id(1).opcode(WcOpcode.RECV).immediate(0x4444);
        expect(self.awaitRecv()).success().id(2).opcode(WcOpcode.RECV_RDMA_WITH_IMM).immediate(0x5555);
        sink.assertHolds(0, 64, 44);
        sink.assertHolds(64, 64, 44);
        sink.assertZero(128, 64);
        self.succeed(write(target, left.region(64).fill(45).sge()));
        Region back = left.region(64);
        self.succeed(read(target, back.sge()));
        back.assertHolds(45);
        target.store(0, 5);
        self.succeed(fetchAndAdd(target, 2, back.sge(0, 8)));
        assertEquals(5, back.load(0));
        self.succeed(compareAndSwap(target, 7, 9, back.sge(0, 8)));
        assertEquals(7, back.load(0));
        assertEquals(9, target.load(0));
        Window window = left.window(MwType.TYPE_2);
        int key = window.nextRkey();
        self.succeed(window.bind(key, target.range(0, 64, WINDOW_ACCESS)));
        self.succeed(SendSpec.sendInv(key, local.sge()));
        expect(self.awaitRecv()).success().id(3).invalidated(key);
        expect(self.execute(SendSpec.write(target.address(), key, local.sge()))).status(WcStatus.REM_ACCESS_ERR);
        self.awaitState(QpState.ERR);
    }
}
