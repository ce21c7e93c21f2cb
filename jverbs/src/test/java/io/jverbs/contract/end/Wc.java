package io.jverbs.contract.end;

import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import java.io.Serializable;

/** A work completion by value, with every field of {@code ibv_wc}. */
public record Wc(long wrId, WcStatus status, int rawStatus, WcOpcode opcode, int rawOpcode, int vendorError,
        long byteLength, int immediate, int invalidatedRkey, int qpNumber, int sourceQp, int flags, int pkeyIndex,
        int slid, int serviceLevel, int dlidPathBits) implements Serializable {

    public boolean success() {
        return status == WcStatus.SUCCESS;
    }

    /** Returns whether all the given {@link WcFlags} bits are set. */
    public boolean has(int wcFlags) {
        return (flags & wcFlags) == wcFlags;
    }

    @Override
    public String toString() {
        return success()
                ? "Wc[wrId=" + wrId + ", SUCCESS, " + opcode + ", bytes=" + byteLength + ", qp=0x"
                        + Integer.toHexString(qpNumber) + ", src=0x" + Integer.toHexString(sourceQp) + ", flags="
                        + WcFlags.toString(flags) + ", imm=0x" + Integer.toHexString(immediate) + "]"
                : "Wc[wrId=" + wrId + ", " + status + " (" + rawStatus + "), qp=0x" + Integer.toHexString(qpNumber)
                        + ", vendorError=" + vendorError + "]";
    }
}
