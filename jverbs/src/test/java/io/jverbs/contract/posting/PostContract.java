package io.jverbs.contract.posting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the post calls accept, refuse and copy. */
final class PostContract extends VerbsContract {

    private PairOptions apart(PairOptions options) {
        return options.left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    private static long[] ids(int count) {
        return LongStream.range(0, count).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    @Catalogue("E1")
    void aChainIsPostedUpToTheFirstRefusedRequest(int bad) {
        Pair pair = rcPair(this::apart);
        Region target = right.region(64);
        Region source = left.region(64).fill(1);
        SendSpec[] chain = new SendSpec[4];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = write(target, source.sge()).id(i).signaled();
        }
        chain[bad] = SendSpec.raw(0x55, source.sge()).id(bad).signaled();
        assertEquals(new PostResult(Errno.EINVAL.code(), bad), pair.left().tryPost(chain));
        assertIds(pair.left().sendCq().await(bad), ids(bad));
        pair.left().sendCq().assertQuiet();
    }

    @Test
    @Catalogue({"E2", "E3"})
    void aFullReceiveQueueRefusesMoreRequests() {
        Pair pair = rcPair(o -> apart(o).wrs(8, 8));
        int capacity = pair.right().info().capabilities().maxRecvWr();
        RecvSpec[] chain = IntStream.range(0, capacity + 2).mapToObj(i -> recv().id(i)).toArray(RecvSpec[]::new);
        assertEquals(new PostResult(Errno.ENOMEM.code(), capacity), pair.right().tryPostRecv(chain));
        pair.right().modify(QpState.ERR);
        assertFlushed(pair.right().recvCq(), ids(capacity));
    }

    @Test
    @Catalogue({"E2", "E3"})
    void aFullSendQueueRefusesMoreRequests() {
        Pair pair = rcPair(o -> apart(o).wrs(8, 8));
        pair.left().modify(QpState.SQD);
        int capacity = pair.left().info().capabilities().maxSendWr();
        SendSpec[] chain = IntStream.range(0, capacity + 2).mapToObj(i -> send().id(i)).toArray(SendSpec[]::new);
        assertEquals(new PostResult(Errno.ENOMEM.code(), capacity), pair.left().tryPost(chain));
        pair.left().modify(QpState.ERR);
        assertFlushed(pair.left().sendCq(), ids(capacity));
    }

    @Test
    @Catalogue("E2")
    void moreElementsThanTheLimitAreRefused() {
        Pair pair = rcPair(o -> apart(o).sges(2, 2));
        int most = pair.left().info().capabilities().maxSendSge();
        Region region = left.region(64);
        Sge[] elements = new Sge[most + 1];
        Arrays.fill(elements, region.sge(0, 1));
        assertEquals(new PostResult(Errno.EINVAL.code(), 1),
                pair.left().tryPost(send(region.sge()).id(0), send(elements).id(1)));
        Sge[] sinks = new Sge[pair.right().info().capabilities().maxRecvSge() + 1];
        Arrays.fill(sinks, right.region(64).sge(0, 1));
        assertEquals(new PostResult(Errno.EINVAL.code(), 0), pair.right().tryPostRecv(recv(sinks)));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 11, 12, 13, 16, 99, -1})
    @Catalogue("E4")
    void unknownOperationsAreRefused(int opcode) {
        Pair pair = rcPair();
        assertEquals(Errno.EINVAL.code(), pair.left().tryPost(SendSpec.raw(opcode, left.region(8).sge())).errno());
        assertDelivers(pair);
    }

    @Test
    @Catalogue("E5")
    void theRequestMayBeOverwrittenAsSoonAsThePostReturns() {
        Pair pair = rcPair(this::apart);
        Region target = right.region(64);
        left.end().postSendAndScribble(pair.left().id(),
                List.of(write(target, left.region(64).fill(3).sge()).id(0x51).signaled()));
        expect(pair.left().awaitSend()).success().id(0x51);
        target.assertHolds(3);
    }

    @Test
    @Catalogue("E6")
    void requestsWithoutElementsAreMessagesOfZeroBytes() {
        Pair pair = rcPair(this::apart);
        Region target = right.region(8);
        pair.right().postRecv(recv().id(1), recv().id(2));
        pair.left().succeed(send());
        pair.left().succeed(write(target));
        pair.left().succeed(read(target));
        pair.left().succeed(writeImm(5, target));
        expect(pair.right().awaitRecv()).success().id(1).bytes(0);
        expect(pair.right().awaitRecv()).success().id(2).bytes(0).immediate(5);
    }

    @Test
    @Catalogue("E7")
    void requestsOfManyThreadsAreExecutedOnceEach() {
        Pair pair = rcPair(o -> apart(o).wrs(256, 256).left(l -> l.cqs(left.cq(1024), left.cq(16))));
        Region counter = right.region(8);
        Region result = left.region(8);
        SendSpec add = fetchAndAdd(counter, 1, result.sge()).signaled();
        List<PostTask> posters = IntStream.range(0, 4)
                .mapToObj(thread -> PostTask.sends(pair.left().id(), add, 200)).toList();
        RepeatedPostsResult result1 = left.end().postRepeatedly(posters, List.of(pair.left().sendCq().id()), 1, 800,
                20_000);
        assertEquals(List.of(), result1.refusals());
        assertEquals(800, result1.completions().size());
        result1.completions().forEach(wc -> expect(wc).success());
        assertEquals(800, counter.load(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789ABCDEFL})
    @Catalogue("E8")
    void wrIdIsReturnedUnchanged(long id) {
        Pair pair = rcPair(this::apart);
        pair.right().postRecv(recv().id(id));
        expect(pair.left().succeed(send().id(id))).id(id);
        expect(pair.right().awaitRecv()).id(id);
    }

    private static Stream<Arguments> illegalOpcodes() {
        return Stream.of(QpType.RC, QpType.UC, QpType.UD)
                .flatMap(type -> Stream.of(WrOpcode.values())
                        .filter(opcode -> opcode.code() >= 0 && opcode.code() <= WrOpcode.SEND_WITH_INV.code())
                        .filter(opcode -> !isLegal(type, opcode)).map(opcode -> Arguments.of(type, opcode)));
    }

    /** Returns whether the catalogue allows the operation for the type. Whether UC supports SEND_WITH_INV is open. */
    private static boolean isLegal(QpType type, WrOpcode opcode) {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM -> true;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM, LOCAL_INV, BIND_MW -> type != QpType.UD;
            default -> type == QpType.RC;
        };
    }

    @ParameterizedTest
    @MethodSource("illegalOpcodes")
    @Catalogue("E10")
    void anOpcodeThatTheTypeDoesNotSupportIsRefused(QpType type, WrOpcode opcode) {
        Pair pair = pair(type, this::apart);
        Region target = right.region(64);
        pair.right().postRecv(recv(right.region(128).sge()).id(1));
        SendSpec request = SendSpec.of(opcode, left.region(8).sge()).remote(target.address(), target.rkey());
        SendSpec addressed = type == QpType.UD ? pair.toRight(request) : request;
        assertEquals(Errno.EINVAL.code(), pair.left().tryPost(addressed.signaled()).errno());
        pair.right().recvCq().assertQuiet();
        target.assertZero();
        pair.left().assertStays(QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("E11")
    void flagsWithoutEffectAreIgnored(QpType type) {
        Pair pair = pair(type, this::apart);
        pair.right().postRecv(recv(right.region(128).sge()).id(1));
        SendSpec request = send(left.region(8).sge()).flags(SendFlags.SIGNALED | SendFlags.FENCE | SendFlags.IP_CSUM);
        pair.left().post(type == QpType.UD ? pair.toRight(request) : request);
        expect(pair.left().awaitSend()).success();
        expect(pair.right().awaitRecv()).success().id(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
    @Catalogue({"E11", "C25"})
    void solicitedHasNoEffectWithoutAReceive(WrOpcode opcode) {
        Pair pair = rcPair(this::apart);
        Region target = right.region(8);
        Region local = left.region(8);
        SendSpec request = switch (opcode) {
            case RDMA_WRITE -> write(target, local.sge());
            case RDMA_READ -> read(target, local.sge());
            default -> fetchAndAdd(target, 1, local.sge());
        };
        pair.left().succeed(request.solicited());
        assertNoCompletion(pair.right().recvCq());
    }

    @Test
    @Catalogue({"E20", "E21"})
    void eachOperationCompletesWithItsOpcode() {
        Pair pair = rcPair(this::apart);
        Region target = right.region(64);
        Region local = left.region(64);
        pair.right().postRecv(recv(right.region(64).sge()), recv(right.region(64).sge()), recv());
        Qp qp = pair.left();
        expect(qp.succeed(send(local.sge()))).opcode(WcOpcode.SEND).qp(qp);
        expect(qp.succeed(sendImm(1, local.sge()))).opcode(WcOpcode.SEND).qp(qp);
        expect(qp.succeed(write(target, local.sge()))).opcode(WcOpcode.RDMA_WRITE).qp(qp);
        expect(qp.succeed(writeImm(1, target, local.sge()))).opcode(WcOpcode.RDMA_WRITE).qp(qp);
        expect(qp.succeed(read(target, local.sge()))).opcode(WcOpcode.RDMA_READ).bytes(64).qp(qp);
        expect(qp.succeed(read(target, local.sge(0, 40), local.sge(40, 24)))).opcode(WcOpcode.RDMA_READ).bytes(64);
        expect(qp.succeed(compareAndSwap(target, 0, 0, local.sge(0, 8)))).opcode(WcOpcode.COMP_SWAP).bytes(8).qp(qp);
        expect(qp.succeed(fetchAndAdd(target, 0, local.sge(0, 8)))).opcode(WcOpcode.FETCH_ADD).bytes(8).qp(qp);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue({"E22", "E23", "E24", "E27", "E28"})
    void eachMessageArrivesWithItsDataAndFlags(QpType type) {
        Pair pair = pair(type, this::apart);
        Region local = left.region(32).fill(2);
        Region target = right.region(32);
        Region untouched = right.region(32);
        pair.right().postRecv(recv(right.region(64).sge()).id(1), recv(right.region(64).sge()).id(2),
                recv(untouched.sge()).id(3), recv().id(4));
        Qp qp = pair.left();
        qp.succeed(send(local.sge()));
        qp.succeed(sendImm(0x0A0B0C0D, local.sge(0, 5)));
        qp.succeed(writeImm(0xF1F2F3F4, target, local.sge()));
        qp.succeed(writeImm(0, target));
        expect(pair.right().awaitRecv()).success().id(1).opcode(WcOpcode.RECV).bytes(32).plain().qp(pair.right());
        expect(pair.right().awaitRecv()).success().id(2).opcode(WcOpcode.RECV).bytes(5).immediate(0x0A0B0C0D);
        expect(pair.right().awaitRecv()).success().id(3).opcode(WcOpcode.RECV_RDMA_WITH_IMM).bytes(32)
                .immediate(0xF1F2F3F4);
        expect(pair.right().awaitRecv()).success().id(4).opcode(WcOpcode.RECV_RDMA_WITH_IMM).bytes(0).immediate(0);
        target.assertHolds(2);
        untouched.assertZero();
    }

    @Test
    @Catalogue("E25")
    void anInvalidatedKeyIsReported() {
        Pair pair = rcPair(this::apart);
        Window window = right.window(MwType.TYPE_2);
        Region region = right.region(64, Access.LOCAL_WRITE | Access.MW_BIND);
        int key = window.nextRkey();
        pair.right().succeed(window.bind(key, region.range(0, 64, Access.REMOTE_WRITE)));
        pair.right().postRecv(recv().id(6));
        pair.left().succeed(SendSpec.sendInv(key));
        Wc wc = expect(pair.right().awaitRecv()).success().id(6).opcode(WcOpcode.RECV).invalidated(key).wc();
        assertTrue(wc.success(), wc::toString);
    }
}
