package io.jverbs.soft.device;

import io.jverbs.AtomicCapability;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.NodeType;
import io.jverbs.TransportType;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.SoftPort;

/** The limits and capabilities that the device reports; see ibv_query_device(3). */
final class Limits {
    static final int MAX_QP = 1 << 16;
    static final int MAX_WR = 1 << 14;
    static final int MAX_SGE = 32;
    static final int MAX_INLINE = 1024;
    static final int MAX_CQ = 1 << 16;
    static final int MAX_CQE = 1 << 18;
    static final int MAX_MR = 1 << 22;
    static final int MAX_MW = 1 << 20;
    static final int MAX_PD = 1 << 16;
    static final int MAX_AH = 1 << 16;
    static final int MAX_SRQ = 1 << 16;
    static final int MAX_RD_ATOMIC = 128;
    static final int MAX_GROUPS = 1 << 13;
    static final int MAX_GROUP_MEMBERS = 1 << 8;
    static final int COMPLETION_VECTORS = 2;
    static final int ACK_DELAY = 15;
    static final long MAX_MESSAGE = 1L << 30;
    private static final long SMALLEST_PAGE = 4096;
    /** The optional features that the device has: bits of {@code enum ibv_device_cap_flags}. */
    private static final long BAD_PKEY_COUNTER = 1 << 1;
    private static final long BAD_QKEY_COUNTER = 1 << 2;
    private static final long CURRENT_STATE_MODIFY = 1 << 7;
    private static final long PORT_ACTIVE_EVENT = 1 << 10;
    private static final long RNR_NAK = 1 << 12;
    private static final long SRQ_RESIZE = 1 << 13;
    private static final long WINDOWS = 1 << 17;
    private static final long WINDOWS_2B = 1 << 24;
    private static final long CAPABILITIES = BAD_PKEY_COUNTER | BAD_QKEY_COUNTER | CURRENT_STATE_MODIFY
            | PORT_ACTIVE_EVENT | RNR_NAK | SRQ_RESIZE | WINDOWS | WINDOWS_2B;

    private Limits() {}

    static DeviceAttributes attributes(long guid) {
        return DeviceAttributes.builder().fwVersion(version()).nodeGuid(guid).systemImageGuid(guid)
                .maxMrSize(Long.MAX_VALUE)
                .pageSizeCap(-SMALLEST_PAGE).maxQp(MAX_QP).maxQpWr(MAX_WR).maxSge(MAX_SGE).maxSgeRd(MAX_SGE)
                .maxCq(MAX_CQ)
                .maxCqe(MAX_CQE).maxMr(MAX_MR).maxPd(MAX_PD).maxQpRdAtom(MAX_RD_ATOMIC)
                .maxResRdAtom(MAX_QP * MAX_RD_ATOMIC)
                .maxQpInitRdAtom(MAX_RD_ATOMIC).atomicCapability(AtomicCapability.GLOB).maxMw(MAX_MW)
                .maxMcastGroups(MAX_GROUPS)
                .maxMcastQpAttach(MAX_GROUP_MEMBERS).maxTotalMcastQpAttach(MAX_GROUPS * MAX_GROUP_MEMBERS).maxAh(MAX_AH)
                .maxSrq(MAX_SRQ).maxSrqWr(MAX_WR).maxSrqSge(MAX_SGE).maxPkeys(SoftPort.PKEYS).localCaAckDelay(ACK_DELAY)
                .portCount(1).deviceCapFlags(CAPABILITIES)
                .completionVectors(COMPLETION_VECTORS).nodeType(NodeType.CA).transportType(TransportType.IB).build();
    }

    private static String version() {
        String version = Limits.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }

    /** Returns a value if it is in its range, otherwise throws EINVAL with the argument, the value and the range. */
    static int check(String operation, String argument, int value, int min, int max) {
        if (value < min || value > max) {
            throw VerbsException.outOfRange(operation, argument, value, min, max);
        }
        return value;
    }

    /** Returns the capacity of a queue for a requested size: the next power of two, or 0 for 0. */
    static int capacity(int requested) {
        return requested <= 1 ? requested : Integer.highestOneBit(requested - 1) << 1;
    }

    static VerbsException exhausted(String operation, int max, String what) {
        return new VerbsException(operation, Errno.ENOMEM, "all " + max + " " + what + " of the device are in use");
    }
}
