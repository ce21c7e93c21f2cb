package io.jverbs.contract.posting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the contents of messages: inline or not, of every length, gathered and scattered. */
final class PayloadContract extends VerbsContract {
    private static final int INLINE = 64;

    private PairOptions apart(PairOptions options) {
        return options.left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    private static void assertBytes(Region region, long offset, int length) {
        byte[] found = region.bytes(offset, length);
        for (int i = 0; i < length; i++) {
            assertEquals((byte) (i + 1), found[i], "byte " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 63, 64})
    @Catalogue("E12")
    void inlineDataIsCopiedDuringThePostFromUnregisteredMemory(int length) {
        Pair pair = rcPair(o -> apart(o).inline(INLINE));
        Region target = right.region(INLINE);
        // the end overwrites the source as soon as the post returns
        pair.left().succeed(write(target, Sge.inline(bytes(length))).inline());
        assertBytes(target, 0, length);
    }

    @Test
    @Catalogue("E12")
    void inlineDataOfADelayedSendIsThatOfThePost() {
        Pair pair = rcPair(o -> apart(o).inline(INLINE).rnrRetry(7).minRnrTimer(1));
        Region sink = right.region(INLINE);
        pair.left().post(send(Sge.inline(bytes(20))).inline().signaled());
        assertNoCompletion(pair.left().sendCq());
        pair.right().postRecv(recv(sink.sge()));
        expect(pair.left().awaitSend()).success();
        expect(pair.right().awaitRecv()).success().bytes(20);
        assertBytes(sink, 0, 20);
    }

    @Test
    @Catalogue("E13")
    void moreInlineDataThanTheLimitIsRefused() {
        Pair pair = rcPair(o -> apart(o).inline(INLINE));
        int most = pair.left().info().capabilities().maxInlineData();
        PostResult result = pair.left().tryPost(send(Sge.inline(bytes(most + 1))).inline().signaled());
        assertTrue(List.of(Errno.EINVAL.code(), Errno.ENOMEM.code(), Errno.EPERM.code()).contains(result.errno()));
        assertNoCompletion(pair.left().sendCq());
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "compareAndSwap", "fetchAndAdd"})
    @Catalogue("E14")
    void readsAndAtomicsCannotBeInline(String operation) {
        Pair pair = rcPair(o -> apart(o).inline(INLINE));
        Region target = right.region(8);
        Region local = left.region(8);
        SendSpec request = switch (operation) {
            case "read" -> read(target, local.part(0, 8));
            case "compareAndSwap" -> compareAndSwap(target, 0, 1, local.part(0, 8));
            default -> fetchAndAdd(target, 1, local.part(0, 8));
        };
        assertEquals(Errno.EINVAL.code(), pair.left().tryPost(request.inline().signaled()).errno());
        target.assertZero();
    }

    @Test
    @Catalogue("E15")
    void inlinePiecesAreGatheredInOrder() {
        Pair pair = rcPair(o -> apart(o).inline(INLINE).sges(4, 4));
        Region target = right.region(INLINE);
        byte[] whole = bytes(30);
        Sge[] pieces = {Sge.inline(Arrays.copyOfRange(whole, 0, 7)), Sge.inline(new byte[0]),
            Sge.inline(Arrays.copyOfRange(whole, 7, 29)),
            Sge.inline(Arrays.copyOfRange(whole, 29, 30))};
        pair.left().succeed(write(target, pieces).inline());
        assertBytes(target, 0, 30);
        target.assertZero(30, INLINE - 30);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("E16")
    void aMessageLongerThanTheLimitOfThePortFails(QpType type) {
        Pair pair = pair(type, o -> apart(o).sges(4, 4));
        long most = left.port().maxMessageSize();
        Region region = left.region(64);
        int piece = (int) Math.min(most / 3 + 1, Integer.MAX_VALUE);
        Sge huge = Sge.raw(region.address(), piece, region.lkey());
        SendSpec request = send(huge, huge, huge, huge).signaled().id(5);
        PostResult result = pair.left().tryPost(request);
        if (result.errno() == 0) {
            expect(pair.left().awaitSend()).status(WcStatus.LOC_LEN_ERR).id(5);
        } else {
            assertEquals(Errno.EINVAL.code(), result.errno());
        }
    }

    private static Stream<Arguments> lengthsAndSplits() {
        return Stream.of(1, 1023, 1024, 1025, 2048, 2049, 1 << 20)
                .flatMap(length -> Stream.of(1, 2, 4).map(pieces -> Arguments.of(length, pieces)));
    }

    private static Sge[] split(Region region, int length, int pieces, Random random) {
        List<Integer> borders = new ArrayList<>(List.of(0, length));
        for (int i = 1; i < pieces; i++) {
            borders.add(random.nextInt(length + 1));
        }
        borders.sort(null);
        Sge[] split = new Sge[pieces];
        for (int i = 0; i < pieces; i++) {
            split[i] = region.sge(borders.get(i), borders.get(i + 1) - borders.get(i));
        }
        return split;
    }

    @ParameterizedTest
    @MethodSource("lengthsAndSplits")
    @Catalogue({"E17", "F12"})
    void everyLengthArrivesIntactWithAnySplit(int length, int pieces) {
        long seed = 31L * length + pieces;
        Random random = new Random(seed);
        Pair pair = rcPair(o -> apart(o).sges(4, 4));
        Region source = left.region(length).fill(pieces);
        Region sink = right.region(length);
        Region target = right.region(length);
        Region back = left.region(length);
        pair.right().postRecv(recv(split(sink, length, pieces, random)));
        pair.left().succeed(send(split(source, length, pieces, random)));
        expect(pair.right().awaitRecv()).success().bytes(length);
        sink.assertHolds(pieces);
        pair.left().succeed(write(target, split(source, length, pieces, random)));
        pair.left().succeed(read(target, split(back, length, pieces, random)));
        target.assertHolds(pieces);
        back.assertHolds(pieces);
    }

    @Test
    @Catalogue("E18")
    void onlyReceivedBytesAreWritten() {
        Pair pair = rcPair(o -> apart(o).sges(4, 4));
        Region sink = right.region(96);
        pair.right().postRecv(recv(sink.sge(0, 16), sink.sge(32, 16), sink.sge(64, 16)));
        pair.left().succeed(send(left.region(20).fill(1).sge()));
        expect(pair.right().awaitRecv()).success().bytes(20);
        assertTrue(sink.bytes(0, 16)[15] != 0 || sink.bytes(0, 16)[14] != 0);
        sink.assertZero(16, 16);
        sink.assertZero(36, 60);
    }

    @Test
    @Catalogue({"E19", "B28"})
    void elementsOfZeroBytesAreSkippedUnchecked() {
        Pair pair = rcPair(o -> apart(o).sges(4, 4));
        Region source = left.region(32).fill(9);
        Region target = right.region(32);
        Sge nothing = Sge.raw(0x1234, 0, 0x0BADBAD0);
        pair.left().succeed(write(target, nothing, source.sge(0, 16), nothing, source.sge(16, 16)));
        target.assertHolds(9);
    }

    @Test
    @Catalogue("E12")
    void anInlineFlagOnRegisteredMemoryIgnoresItsKey() {
        Pair pair = rcPair(o -> apart(o).inline(INLINE));
        Region source = left.region(32).fill(4);
        Region target = right.region(32);
        pair.left().succeed(write(target, source.part(0, 32)).flags(SendFlags.INLINE));
        target.assertHolds(4);
    }
}
