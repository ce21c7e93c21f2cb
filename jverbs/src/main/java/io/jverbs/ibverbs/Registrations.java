package io.jverbs.ibverbs;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.VerbsException;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.MemoryCalls;
import io.jverbs.ffm.WindowCalls;
import io.jverbs.ffm.ibverbs.ibv_mw_bind;
import io.jverbs.ffm.ibverbs.ibv_mw_bind_info;
import io.jverbs.ibverbs.Drivers.Unbinding;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.Handle;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The memory regions and memory windows of a context; see ibv_reg_mr(3), ibv_rereg_mr(3), ibv_alloc_mw(3) and
 * ibv_bind_mw(3). It has no mutable state; any thread may call any method.
 */
final class Registrations {
    private static final int CHANGE_TRANSLATION = 1;
    private static final int CHANGE_PD = 1 << 1;
    private static final int CHANGE_ACCESS = 1 << 2;

    private final Unbinding unbinding;

    Registrations(Unbinding unbinding) {
        this.unbinding = unbinding;
    }

    NativeHandle.Mr register(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        long address = segment.address();
        long length = segment.byteSize();
        if (length == 0) {
            throw new VerbsException("reg_mr", Errno.EINVAL,
                    "the segment has a length of 0; the device requires at least 1 byte");
        }
        long domain = NativeHandle.address(pd);
        return NativeHandle.create(() -> iova == address
                ? MemoryCalls.regMr(domain, address, length, access)
                : MemoryCalls.regMrIova(domain, address, length, iova, access), mr -> {
                    if (Failure.isErrno(mr)) {
                        throw refused("reg_mr", (int) -mr, length, access);
                    }
                    return new NativeHandle.Mr(mr);
                }, MemoryCalls::deregMr);
    }

    private static VerbsException refused(String operation, int errno, long length, int access) {
        return Failure.of(operation, errno, switch (Errno.of(errno)) {
            case ENOMEM -> length + " bytes cannot be pinned in memory: RLIMIT_MEMLOCK of this process is "
                    + lockedMemoryLimit() + " (see `ulimit -l`), or the device has no more regions";
            case EINVAL -> "the device refused " + length + " bytes with access " + Access.toString(access)
                    + ": REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE, and an iova must have the same offset in"
                    + " its page as the memory";
            case EFAULT ->
                "the memory is not readable, or not writable although access " + Access.toString(access)
                        + " requires it";
            default -> "the device refused " + length + " bytes with access " + Access.toString(access);
        });
    }

    private static String lockedMemoryLimit() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(line -> line.startsWith("Max locked memory")).findFirst()
                    .map(line -> line.split(" {2,}")[1] + " bytes").orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    void reregister(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        if ((flags & CHANGE_TRANSLATION) != 0 && iova != segment.address()) {
            throw new VerbsException("rereg_mr", Errno.EOPNOTSUPP,
                    "libibverbs can re-register memory only under the address of the memory itself: deregister the"
                            + " region and register the memory again");
        }
        boolean newTranslation = (flags & CHANGE_TRANSLATION) != 0;
        MemoryCalls.Reregistration outcome = MemoryCalls.reregMr(NativeHandle.address(mr), flags,
                (flags & CHANGE_PD) != 0 ? NativeHandle.address(pd) : 0, newTranslation ? segment.address() : 0,
                newTranslation ? segment.byteSize() : 0, (flags & CHANGE_ACCESS) != 0 ? access : 0);
        ((NativeHandle.Mr) mr).readKeys();
        if (outcome.code() != 0) {
            throw refused("rereg_mr", outcome.errno(), segment.byteSize(), access);
        }
    }

    void deregister(Handle.Mr mr) {
        int errno = NativeHandle.destroy(mr, MemoryCalls::deregMr);
        Failure.check("dereg_mr", errno, errno == Errno.EBUSY.code()
                ? "a memory window is bound to the region: unbind or close it first"
                : "the device refused the operation");
    }

    NativeHandle.Mw allocateMw(Handle.Pd pd, int type) {
        if (MwType.of(type) == MwType.UNKNOWN) {
            throw new VerbsException("alloc_mw", Errno.EINVAL, "window type " + type + " is outside 1..2");
        }
        return NativeHandle.create(() -> WindowCalls.allocMw(NativeHandle.address(pd), type),
                mw -> new NativeHandle.Mw(
                        Failure.pointer("alloc_mw", mw, "the device could not allocate a window of type " + type)),
                WindowCalls::deallocMw);
    }

    void deallocateMw(Handle.Mw mw) {
        Failure.check("dealloc_mw", NativeHandle.destroy(mw, WindowCalls::deallocMw));
    }

    /** The address of the region to bind to; for an unbind without a region, the pointer that the driver expects. */
    private long region(MwBind bind, long mw, Arena arena) {
        if (bind.region() != null) {
            return NativeHandle.address(bind.region().handle());
        }
        if (bind.length() != 0 || bind.address() != 0) {
            throw new VerbsException("bind_mw", Errno.EINVAL, bind + " names a range, but no region");
        }
        return switch (unbinding) {
            case NULL_REGION -> 0;
            case EMPTY_REGION -> EmptyRegion.inDomainOf(mw, arena);
            case REFUSED -> throw new VerbsException("bind_mw", Errno.EINVAL,
                    "with this driver an unbind must name the region that the window was bound to");
        };
    }

    void bind(Handle.Qp qp, Handle.Mw handle, long wrId, int sendFlags, MwBind bind) {
        NativeHandle.Mw mw = (NativeHandle.Mw) handle;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment to = ibv_mw_bind.allocate(arena);
            ibv_mw_bind.wr_id(to, wrId);
            ibv_mw_bind.send_flags(to, sendFlags);
            MemorySegment info = ibv_mw_bind.bind_info(to);
            ibv_mw_bind_info.mr(info, MemorySegment.ofAddress(region(bind, mw.nativeAddress(), arena)));
            ibv_mw_bind_info.addr(info, bind.address());
            ibv_mw_bind_info.length(info, bind.length());
            ibv_mw_bind_info.mw_access_flags(info, bind.access());
            int errno = WindowCalls.bindMw(NativeHandle.address(qp), mw.nativeAddress(), to);
            if (errno != 0) {
                throw Failure.of("bind_mw", errno, "the device refused " + bind);
            }
        }
        mw.rkey(Fields.mwRkey(mw.nativeAddress()));
    }
}
