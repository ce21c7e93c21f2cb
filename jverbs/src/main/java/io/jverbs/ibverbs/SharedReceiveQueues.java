package io.jverbs.ibverbs;

import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.ffm.SharedReceiveCalls;
import io.jverbs.ffm.ibverbs.ibv_srq_attr;
import io.jverbs.ffm.ibverbs.ibv_srq_init_attr;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.ContextOps.EventsReported;
import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The shared receive queues of a context; see ibv_create_srq(3), ibv_modify_srq(3) and ibv_query_srq(3). It has no
 * mutable state; any thread may call any method.
 */
final class SharedReceiveQueues {
    private static final int MAX_WR = 1;
    private static final int LIMIT = 1 << 1;

    private final NativeContext context;

    SharedReceiveQueues(NativeContext context) {
        this.context = context;
    }

    NativeHandle.Srq create(Handle.Pd pd, SrqInitAttributes init, Object owner) {
        MemorySegment from = ibv_srq_init_attr.allocate(NativeHandle.arenaForCreation());
        MemorySegment attr = ibv_srq_init_attr.attr(from);
        ibv_srq_attr.max_wr(attr, init.maxWr());
        ibv_srq_attr.max_sge(attr, init.maxSge());
        ibv_srq_attr.srq_limit(attr, init.limit());
        return NativeHandle.create(() -> SharedReceiveCalls.createSrq(NativeHandle.address(pd), from), srq -> {
            Failure.pointer("create_srq", srq, "the device refused maxWr " + init.maxWr() + " and maxSge "
                    + init.maxSge() + "; the limits are 1.." + context.queryDevice().maxSrqWr() + " and 1.."
                    + context.queryDevice().maxSrqSge());
            NativeHandle.Srq handle = new NativeHandle.Srq(srq, owner);
            context.asyncEvents().add(handle);
            return handle;
        }, SharedReceiveCalls::destroySrq);
    }

    void modify(Handle.Srq srq, SrqModification change) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_srq_attr.allocate(arena);
            ibv_srq_attr.max_wr(attr, change.maxWr().orElse(0));
            ibv_srq_attr.srq_limit(attr, change.limit().orElse(0));
            int mask = (change.maxWr().isPresent() ? MAX_WR : 0) | (change.limit().isPresent() ? LIMIT : 0);
            int errno = SharedReceiveCalls.modifySrq(NativeHandle.address(srq), attr, mask);
            if (errno != 0) {
                throw Failure.of("modify_srq", errno, "the device refused " + change);
            }
        }
    }

    SrqAttributes query(Handle.Srq srq) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_srq_attr.allocate(arena);
            Failure.check("query_srq", SharedReceiveCalls.querySrq(NativeHandle.address(srq), attr));
            return new SrqAttributes(ibv_srq_attr.max_wr(attr), ibv_srq_attr.max_sge(attr),
                    ibv_srq_attr.srq_limit(attr));
        }
    }

    EventsReported destroy(Handle.Srq handle) {
        NativeHandle.Srq srq = (NativeHandle.Srq) handle;
        Failure.check("destroy_srq", NativeHandle.destroy(srq, SharedReceiveCalls::destroySrq));
        context.asyncEvents().remove(srq);
        return new EventsReported(0, srq.asyncEvents());
    }
}
