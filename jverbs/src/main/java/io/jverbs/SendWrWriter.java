package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SendWrLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes the operands of an operation to the memory of a send work request; see {@link SendWrLayout}. */
final class SendWrWriter {
    private static final ValueLayout.OfInt BIG_ENDIAN_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private SendWrWriter() {}

    static void immediate(MemorySegment memory, int immediate) {
        memory.set(BIG_ENDIAN_INT, SendWrLayout.IMM_DATA, immediate);
    }

    static void remote(MemorySegment memory, long address, int rkey) {
        memory.set(JAVA_LONG, SendWrLayout.REMOTE_ADDR, address);
        memory.set(JAVA_INT, SendWrLayout.RDMA_RKEY, rkey);
    }

    static void atomic(MemorySegment memory, long address, int rkey, long compareAdd, long swap) {
        memory.set(JAVA_LONG, SendWrLayout.REMOTE_ADDR, address);
        memory.set(JAVA_LONG, SendWrLayout.ATOMIC_COMPARE_ADD, compareAdd);
        memory.set(JAVA_LONG, SendWrLayout.ATOMIC_SWAP, swap);
        memory.set(JAVA_INT, SendWrLayout.ATOMIC_RKEY, rkey);
    }

    /** Writes the destination of a datagram; the handle may be null. */
    static void destination(MemorySegment memory, AddressHandle handle, int remoteQpn, int remoteQkey) {
        memory.set(JAVA_LONG, SendWrLayout.UD_AH, handle == null ? 0 : handle.handle().nativeAddress());
        memory.set(JAVA_INT, SendWrLayout.UD_REMOTE_QPN, remoteQpn);
        memory.set(JAVA_INT, SendWrLayout.UD_REMOTE_QKEY, remoteQkey);
    }

    /** Writes the operands of BIND_MW; the region of the bind may be null. */
    static void bind(MemorySegment memory, MemoryWindow window, int rkey, MwBind bind) {
        MemoryRegion region = bind.region();
        memory.set(JAVA_LONG, SendWrLayout.BIND_MW, window.handle().nativeAddress());
        memory.set(JAVA_INT, SendWrLayout.BIND_RKEY, rkey);
        memory.set(JAVA_LONG, SendWrLayout.BIND_MR, region == null ? 0 : region.handle().nativeAddress());
        memory.set(JAVA_LONG, SendWrLayout.BIND_ADDR, bind.address());
        memory.set(JAVA_LONG, SendWrLayout.BIND_LENGTH, bind.length());
        memory.set(JAVA_INT, SendWrLayout.BIND_ACCESS, bind.access());
    }
}
