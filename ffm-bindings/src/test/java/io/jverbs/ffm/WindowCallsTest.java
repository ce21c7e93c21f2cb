package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.ffm.RecordingStruct.Called;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_mr;
import io.jverbs.ffm.ibverbs.ibv_mw;
import io.jverbs.ffm.ibverbs.ibv_mw_bind;
import io.jverbs.ffm.ibverbs.ibv_mw_bind_info;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the memory window calls go through {@code ibv_context.ops} after the checks of {@code infiniband/verbs.h}.
 */
class WindowCallsTest {

    private final Arena arena = Arena.ofConfined();
    private final FakeContext fake = new FakeContext(arena);
    private final MemorySegment pd = fake.object();
    private final MemorySegment mw = fake.object();
    private final MemorySegment mr = fake.object();
    private final MemorySegment bind = ibv_mw_bind.allocate(arena);
    private final MemorySegment info = ibv_mw_bind.bind_info(bind);

    @BeforeEach
    void createType1WindowAndRegionOfOneDomain() {
        fake.ops().withAllMembers();
        ibv_mw.type(mw, IbvConstants.IBV_MW_TYPE_1());
        ibv_mw.pd(mw, pd);
        ibv_mr.pd(mr, pd);
        ibv_mw_bind_info.mr(info, mr);
    }

    @AfterEach
    void free() {
        arena.close();
    }

    private int bind() {
        return WindowCalls.bindMw(77, mw.address(), bind);
    }

    @Test
    void allocationReturnsTheAddressFromTheDriver() {
        fake.ops().returns("alloc_mw", 4711);
        assertEquals(4711, WindowCalls.allocMw(pd.address(), 2));
        assertEquals(List.of(Called.with("alloc_mw", pd.address(), 2)), fake.ops().calls());
    }

    @Test
    void allocationIsNotSupportedWithoutADriverFunction() {
        fake.ops().without("alloc_mw");
        assertEquals(-95, WindowCalls.allocMw(pd.address(), 2));
    }

    @Test
    void deallocationReturnsTheErrno() {
        fake.ops().returns("dealloc_mw", 16);
        assertEquals(16, WindowCalls.deallocMw(mw.address()));
        assertEquals(List.of(Called.with("dealloc_mw", mw.address())), fake.ops().calls());
    }

    @Test
    void aWindowOfType1IsBound() {
        assertEquals(0, bind());
        assertEquals(List.of(Called.with("bind_mw", 77, mw.address(), bind.address())), fake.ops().calls());
    }

    @Test
    void aWindowOfType2IsRefused() {
        ibv_mw.type(mw, IbvConstants.IBV_MW_TYPE_2());
        assertRefused(22);
    }

    @Test
    void anAddressWithoutARegionIsRefused() {
        ibv_mw_bind_info.mr(info, MemorySegment.NULL);
        ibv_mw_bind_info.addr(info, 1);
        assertRefused(22);
    }

    @Test
    void aLengthWithoutARegionIsRefused() {
        ibv_mw_bind_info.mr(info, MemorySegment.NULL);
        ibv_mw_bind_info.length(info, 1);
        assertRefused(22);
    }

    @Test
    void aNullRegionUnbinds() {
        ibv_mw_bind_info.mr(info, MemorySegment.NULL);
        assertEquals(0, bind());
    }

    @Test
    void aRegionOfAnotherDomainIsRefused() {
        ibv_mr.pd(mr, fake.object());
        assertRefused(1);
    }

    private void assertRefused(int errno) {
        assertEquals(errno, bind());
        assertEquals(List.of(), fake.ops().calls());
    }
}
