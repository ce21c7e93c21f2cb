package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.MemoryRegion;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.ibverbs.Drivers.Unbinding;
import io.jverbs.spi.Handle;
import io.jverbs.spi.SendWrLayout;

/**
 * Explains why {@link NativeDataPath} refused a send request on which the driver would have crashed. Has no state.
 */
final class NativeRefusal {
    private NativeRefusal() {}

    /** The reason; null if the request itself shows it, or if the driver refused the request. */
    static String reason(NativeContext context, Unbinding unbinding, NativeHandle.Qp qp, SendWorkRequest request) {
        if (request.rawOpcode() == WrOpcode.BIND_MW.code()) {
            return ofBind(context, unbinding, request);
        }
        return qp.datagram() && request.addressHandle() != null && isForeign(context, request.addressHandle().handle())
                ? foreign("address handle")
                : null;
    }

    private static String ofBind(NativeContext context, Unbinding unbinding, SendWorkRequest request) {
        if (request.memoryWindow() == null) {
            return null;
        }
        if (isForeign(context, request.memoryWindow().handle())) {
            return foreign("memory window");
        }
        MemoryRegion region = request.bindRegion();
        if (region != null) {
            return isForeign(context, region.handle()) ? foreign("memory region") : null;
        }
        long length = request.memory().get(JAVA_LONG, SendWrLayout.BIND_LENGTH);
        if (length != 0) {
            return "a bind of " + length + " bytes needs a memory region, but the request names none; an unbind has a"
                    + " length of 0";
        }
        return unbinding == Unbinding.REFUSED
                ? "it is not known how the driver of this device handles an unbind, which names no region: close the"
                        + " window, or bind it again"
                : null;
    }

    private static boolean isForeign(NativeContext context, Handle handle) {
        return !(handle instanceof NativeHandle own) || own.context() != context;
    }

    private static String foreign(String what) {
        return "its " + what + " belongs to another context than the queue pair: create both with the same context";
    }
}
