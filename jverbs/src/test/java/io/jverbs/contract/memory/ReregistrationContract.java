package io.jverbs.contract.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.MemoryCommands.Kind;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.ReregSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests re-registration: changing a region without deregistering it. */
final class ReregistrationContract extends VerbsContract {

    private static final int READ_ONLY = Access.LOCAL_WRITE | Access.REMOTE_READ;

    private Pair pairInDomain(int pd) {
        return rcPair(o -> o.right(r -> r.pd(pd)));
    }

    @ParameterizedTest(name = "translation {0}, domain {1}, access {2}")
    @CsvSource({"true, false, false", "false, true, false", "false, false, true", "true, true, false",
        "true, false, true", "false, true, true", "true, true, true"})
    @Catalogue("B19")
    void onlyTheGivenPropertiesChange(boolean translation, boolean domain, boolean access) {
        int oldPd = right.newPd();
        int newPd = right.newPd();
        int oldMemory = right.end().allocateMemory(Kind.SHARED, 4096);
        int newMemory = right.end().allocateMemory(Kind.SHARED, 8192);
        right.end().fill(oldMemory, 0, 4096, 1);
        right.end().fill(newMemory, 0, 8192, 2);
        Region region = right.region(MrSpec.part(oldPd, oldMemory, 0, 4096, READ_ONLY));
        ReregSpec change = ReregSpec.none();
        change = translation ? change.memory(newMemory) : change;
        change = domain ? change.pd(newPd) : change;
        change = access ? change.access(READ_ONLY | Access.REMOTE_WRITE) : change;
        region.reregister(change);

        int memory = translation ? newMemory : oldMemory;
        assertEquals(right.end().memoryAddress(memory), region.address());
        assertEquals(translation ? 8192 : 4096, region.length());
        Qp inside = pairInDomain(domain ? newPd : oldPd).left();
        Qp outside = pairInDomain(domain ? oldPd : newPd).left();
        Region local = left.region(64);
        inside.succeed(read(region, local.sge()));
        local.assertHolds(translation ? 2 : 1);
        expect(outside.execute(read(region, local.sge()))).status(WcStatus.REM_ACCESS_ERR);
        expect(inside.execute(write(region, local.fill(3).sge())))
                .status(access ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR);
        assertEquals(-1, right.end().firstMismatch(memory, 0, 64, access ? 3 : translation ? 2 : 1));
        assertEquals(-1, right.end().firstMismatch(translation ? oldMemory : newMemory, 0, 64, translation ? 1 : 2));
    }

    @Test
    @Catalogue("B19")
    void aNewTranslationMayHaveAnIova() {
        Region region = right.region(64);
        int memory = right.end().allocateMemory(Kind.SHARED, 128);
        region.reregister(ReregSpec.none().memory(memory, 0x5000_0000_0000L));
        assertEquals(0x5000_0000_0000L, region.address());
        rcPair().left().succeed(SendSpec.write(0x5000_0000_0000L + 64, region.rkey(), left.region(64).fill(1).sge()));
        assertEquals(-1, right.end().firstMismatch(memory, 64, 64, 1));
    }

    @Test
    @Catalogue("B19")
    void theFormerKeyGrantsNoAccess() {
        Region region = right.region(64);
        int former = region.memory();
        long address = region.address();
        int formerKey = region.rkey();
        int memory = right.end().allocateMemory(Kind.SHARED, 64);
        region.reregister(ReregSpec.none().memory(memory, address));
        Pair pair = rcPair();
        pair.left().succeed(SendSpec.write(address, region.rkey(), left.region(64).fill(1).sge()));
        if (region.rkey() != formerKey) {
            // devices may keep the keys of a region
            expect(pair.left().execute(SendSpec.write(address, formerKey, left.region(64).fill(2).sge())))
                    .status(WcStatus.REM_ACCESS_ERR);
        }
        assertEquals(-1, right.end().firstMismatch(memory, 0, 64, 1));
        assertEquals(-1, right.end().firstOther(former, 0, 64, (byte) 0));
    }

    @Test
    @Catalogue("B19")
    void theFormerDomainIsFreeAndTheNewOneBusy() {
        int oldPd = left.newPd();
        int newPd = left.newPd();
        Region region = left.region(MrSpec.of(oldPd, 64, 0));
        region.reregister(ReregSpec.none().pd(newPd));
        left.end().destroy(oldPd);
        assertErrno(Errno.EBUSY, () -> left.end().destroy(newPd));
        region.destroy();
        left.end().destroy(newPd);
    }

    private static void assertUnchanged(MrInfo before, Side side) {
        assertEquals(before, side.end().queryMr(before.id()));
    }

    private void assertStillWorks(Region region) {
        rcPair().left().succeed(write(region, left.region(64).fill(8).sge()));
        region.assertHolds(0, 64, 8);
    }

    @ParameterizedTest
    @EnumSource(names = {"HEAP", "CONFINED", "READ_ONLY"})
    @Catalogue("B20")
    void memoryThatCannotBeRegisteredIsRefusedAndNothingChanges(Kind kind) {
        Region region = right.region(64);
        MrInfo before = right.end().queryMr(region.id());
        int memory = right.end().allocateMemory(kind, 64);
        assertRefused(IllegalArgumentException.class, () -> region.reregister(ReregSpec.none().memory(memory)));
        assertUnchanged(before, right);
        assertStillWorks(region);
    }

    @Test
    @Catalogue("B20")
    void aTranslationToZeroBytesIsRefusedAndNothingChanges() {
        Region region = right.region(64);
        MrInfo before = right.end().queryMr(region.id());
        int memory = right.end().allocateMemory(Kind.SHARED, 0);
        RuntimeException refusal = assertThrows(RuntimeException.class,
                () -> region.reregister(ReregSpec.none().memory(memory)));
        if (refusal instanceof EndFailure failure) {
            assertEquals(IllegalArgumentException.class.getName(), failure.exceptionClass());
        } else {
            assertErrno(Errno.EINVAL, () -> region.reregister(ReregSpec.none().memory(memory)));
        }
        assertUnchanged(before, right);
        assertStillWorks(region);
    }

    @ParameterizedTest
    @ValueSource(ints = {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC | Access.REMOTE_READ, 1 << 10, 1 << 31})
    @Catalogue("B21")
    void rightsThatRegistrationWouldRefuseAreRefusedAndNothingChanges(int access) {
        Region region = right.region(64);
        MrInfo before = right.end().queryMr(region.id());
        int memory = right.end().allocateMemory(Kind.SHARED, 64);
        int pd = right.newPd();
        assertErrno(Errno.EINVAL,
                () -> region.reregister(ReregSpec.none().memory(memory).pd(pd).access(access)));
        assertUnchanged(before, right);
        assertStillWorks(region);
        right.end().destroy(pd);
    }

    @ParameterizedTest(name = "domain changes {0}, else the memory")
    @ValueSource(booleans = {false, true})
    @Catalogue("B22")
    void aReceiveIntoTheFormerMappingFailsAndBothSidesRecoverThroughReset(boolean domain) {
        Pair pair = rcPair();
        Region sink = right.region(64);
        int memory = sink.memory();
        pair.right().postRecv(recv(sink.sge()).id(22));
        sink.reregister(domain
                ? ReregSpec.none().pd(right.newPd())
                : ReregSpec.none().memory(right.end().allocateMemory(Kind.SHARED, 64)));
        expect(pair.left().execute(send(left.region(64).fill(1).sge()))).status(WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(22);
        assertEquals(-1, right.end().firstOther(memory, 0, 64, (byte) 0));
        sink.assertZero();
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        pair.left().modify(QpState.RESET);
        pair.right().modify(QpState.RESET);
        pair.left().connect(pair.right());
        pair.right().connect(pair.left());
        assertDelivers(pair);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B23")
    void aRemovedRightIsRefused(RemoteOp operation) {
        Region region = right.region(64);
        Pair pair = rcPair();
        pair.left().succeed(operation.on(region, left.region(8).sge()));
        long before = region.load(0);
        region.reregister(ReregSpec.none().access(Side.ALL_ACCESS & ~operation.right()));
        expect(pair.left().execute(operation.on(region, left.region(8).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        assertEquals(before, region.load(0));
    }
}
