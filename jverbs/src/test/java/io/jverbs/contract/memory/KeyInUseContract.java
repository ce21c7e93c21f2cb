package io.jverbs.contract.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MwType;
import io.jverbs.SendFlags;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.MemoryCommands.Kind;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.ReregSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;

/**
 * Tests keys that many consecutive messages have used. A device may cache the lookup of such a key, but must detect
 * when the key becomes invalid.
 */
final class KeyInUseContract extends VerbsContract {

    private static final int BYTES = 64;
    private static final int OFTEN = 8;
    private static final int FORBIDDEN = 99;

    private Region source;

    /** Returns a WRITE; all have the same source memory. */
    private SendSpec write(long address, int rkey, int seed) {
        if (source == null) {
            source = left.region(BYTES);
        }
        return SendSpec.write(address, rkey, source.fill(seed).sge());
    }

    private void writeOften(Pair pair, long address, int rkey) {
        for (int i = 0; i < OFTEN; i++) {
            pair.left().succeed(write(address, rkey, 1));
        }
    }

    private void assertRefused(Pair pair, long address, int rkey) {
        expect(pair.left().execute(write(address, rkey, FORBIDDEN))).status(WcStatus.REM_ACCESS_ERR);
    }

    private void sendOften(Pair pair, Sge from, Region sink) {
        for (int i = 0; i < OFTEN; i++) {
            pair.right().postRecv(recv(sink.sge()));
            pair.left().succeed(send(from));
            expect(pair.right().awaitRecv()).success();
        }
    }

    @Test
    @Catalogue("B17")
    void aKeyInUseIsRefusedAfterDeregistration() {
        Pair pair = rcPair();
        Region target = right.region(BYTES);
        int rkey = target.rkey();
        writeOften(pair, target.address(), rkey);
        target.destroy();
        assertRefused(pair, target.address(), rkey);
        target.assertHolds(1);
    }

    @Test
    @Catalogue("B17")
    void aSendFromARegionInUseFailsAfterDeregistration() {
        Pair pair = rcPair();
        Region source = left.region(BYTES).fill(1);
        Region sink = right.region(BYTES);
        sendOften(pair, source.sge(), sink);
        sink.fill(2);
        source.destroy();
        pair.right().postRecv(recv(sink.sge()));
        expect(pair.left().execute(send(source.sge()))).status(WcStatus.LOC_PROT_ERR);
        sink.assertHolds(2);
    }

    @Test
    @Catalogue("B17")
    void aReceiveIntoARegionInUseFailsAfterDeregistration() {
        Pair pair = rcPair();
        Region source = left.region(BYTES).fill(1);
        Region sink = right.region(BYTES);
        sendOften(pair, source.sge(), sink);
        pair.right().postRecv(recv(sink.sge()));
        sink.destroy();
        expect(pair.left().execute(send(source.fill(FORBIDDEN).sge()))).status(WcStatus.REM_OP_ERR);
        sink.assertHolds(1);
    }

    @Test
    @Catalogue("B19")
    void aRegionInUseIsReregisteredWithOtherMemory() {
        Pair pair = rcPair();
        int former = right.end().allocateMemory(Kind.SHARED, BYTES);
        int present = right.end().allocateMemory(Kind.SHARED, BYTES);
        Region target = right.region(MrSpec.part(right.pd(), former, 0, BYTES, Side.ALL_ACCESS));
        int formerKey = target.rkey();
        writeOften(pair, target.address(), formerKey);
        target.reregister(ReregSpec.none().memory(present, target.address()));
        pair.left().succeed(write(target.address(), target.rkey(), 2));
        if (target.rkey() != formerKey) {
            // devices may keep the keys of a region
            expect(pair.left().execute(write(target.address(), formerKey, FORBIDDEN)))
                    .status(WcStatus.REM_ACCESS_ERR);
        }
        assertEquals(-1, right.end().firstMismatch(present, 0, BYTES, 2));
        assertEquals(-1, right.end().firstMismatch(former, 0, BYTES, 1));
    }

    @Test
    @Catalogue("B19")
    void aRegionInUseIsReregisteredWithoutRemoteWrite() {
        Pair pair = rcPair();
        Region target = right.region(BYTES);
        writeOften(pair, target.address(), target.rkey());
        target.reregister(ReregSpec.none().access(Access.LOCAL_WRITE | Access.REMOTE_READ));
        assertRefused(pair, target.address(), target.rkey());
        target.assertHolds(1);
    }

    private static Window bound(Pair pair, Region region, MwType type) {
        Window window = pair.right().side().window(type);
        BindSpec range = region.range(0, BYTES, Access.REMOTE_WRITE);
        if (type == MwType.TYPE_1) {
            pair.right().side().end().bindMw(pair.right().id(), window.id(), 0, SendFlags.SIGNALED, range);
            expect(pair.right().awaitSend()).success();
        } else {
            pair.right().succeed(window.bind(window.nextRkey(), range));
        }
        return window;
    }

    @Test
    @Catalogue("B43")
    void aWindowInUseIsInvalidatedByItsOwner() {
        Pair pair = rcPair();
        Region region = right.region(BYTES);
        int rkey = bound(pair, region, MwType.TYPE_2).rkey();
        writeOften(pair, region.address(), rkey);
        pair.right().succeed(SendSpec.localInvalidate(rkey));
        assertRefused(pair, region.address(), rkey);
        region.assertHolds(1);
    }

    @Test
    @Catalogue("B45")
    void aWindowInUseIsInvalidatedByThePeer() {
        Pair pair = rcPair();
        Region region = right.region(BYTES);
        int rkey = bound(pair, region, MwType.TYPE_2).rkey();
        writeOften(pair, region.address(), rkey);
        pair.right().postRecv(recv());
        pair.left().succeed(SendSpec.sendInv(rkey));
        expect(pair.right().awaitRecv()).success().invalidated(rkey);
        assertRefused(pair, region.address(), rkey);
        region.assertHolds(1);
    }

    @Test
    @Catalogue("B40")
    void aWindowInUseIsReboundToAnotherRegion() {
        Pair pair = rcPair();
        Region region = right.region(BYTES);
        Region other = right.region(BYTES);
        Window window = bound(pair, region, MwType.TYPE_1);
        int former = window.rkey();
        writeOften(pair, region.address(), former);
        right.end().bindMw(pair.right().id(), window.id(), 0, SendFlags.SIGNALED,
                other.range(0, BYTES, Access.REMOTE_WRITE));
        expect(pair.right().awaitSend()).success();
        writeOften(pair, other.address(), window.rkey());
        other.assertHolds(1);
        assertRefused(pair, region.address(), former);
        region.assertHolds(1);
    }

    @Test
    @Catalogue("B46")
    void aWindowInUseIsDeallocated() {
        Pair pair = rcPair();
        Region region = right.region(BYTES);
        Window window = bound(pair, region, MwType.TYPE_1);
        int rkey = window.rkey();
        writeOften(pair, region.address(), rkey);
        window.destroy();
        assertRefused(pair, region.address(), rkey);
        region.assertHolds(1);
    }

    @Test
    @Catalogue("B4")
    void aKeyInUseIsRefusedToAQueuePairOfAnotherDomain() {
        Region target = right.region(BYTES);
        writeOften(rcPair(), target.address(), target.rkey());
        int domain = right.newPd();
        Pair stranger = rcPair(o -> o.right(r -> r.pd(domain)));
        Region own = right.region(MrSpec.of(domain, BYTES, Side.ALL_ACCESS));
        writeOften(stranger, own.address(), own.rkey());
        assertRefused(stranger, target.address(), target.rkey());
        target.assertHolds(1);
    }

    @Test
    @Catalogue("B13")
    void aKeyInUseGrantsNoRightToAnotherKeyOfTheSameMemory() {
        Pair pair = rcPair();
        Region target = right.region(BYTES);
        Region readable = right.region(MrSpec.part(right.pd(), target.memory(), 0, BYTES, Access.REMOTE_READ));
        writeOften(pair, target.address(), target.rkey());
        assertRefused(pair, readable.address(), readable.rkey());
        target.assertHolds(1);
    }

    @Test
    @Catalogue("B12")
    void alternatingKeysAccessTheirOwnRegions() {
        Pair pair = rcPair();
        Region[] targets = {right.region(BYTES), right.region(BYTES), right.region(BYTES)};
        Region[] sources = {left.region(BYTES), left.region(BYTES)};
        int[] order = {0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 0, 0, 2, 1, 2, 2, 2, 0};
        for (int i = 0; i < order.length; i++) {
            Region target = targets[order[i]];
            pair.left().succeed(write(target, sources[i / 3 % 2].fill(i + 1).sge()));
            target.assertHolds(i + 1);
        }
    }
}
