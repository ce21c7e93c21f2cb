package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.ibverbs.Drivers.Unbinding;
import io.jverbs.spi.SendWrLayout;

/**
 * Explains why {@link NativeDataPath} refused a send request on which the driver would have crashed. Has no state.
 */
final class NativeRefusal {
    private NativeRefusal() {}

    /** The reason; null if the request itself shows it, or if the driver refused the request. */
    static String reason(Unbinding unbinding, SendWorkRequest request) {
        if (request.rawOpcode() != WrOpcode.BIND_MW.code() || request.memoryWindow() == null
                || request.bindRegion() != null) {
            return null;
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
}
