package io.jverbs.ibverbs.rdmacm;

import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.rdma_cm_join_mc_attr_ex;
import io.jverbs.ffm.ibverbs.rdma_conn_param;
import io.jverbs.ffm.ibverbs.rdma_ud_param;
import io.jverbs.spi.CmParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Makes the arguments of librdmacm, and reads {@link CmParameters} of {@code struct rdma_conn_param} and {@code
 * rdma_ud_param}; see rdma_connect(3). The private data must have at most 255 bytes, because the field of the struct
 * truncates its length.
 */
final class ParameterStruct {
    /** The reason of a reject of the options of ECE. */
    static final int REJECT_ECE = 35;

    private static final byte[] NO_DATA = {};

    private ParameterStruct() {}

    /** Returns a time in milliseconds, rounded up, at least 1. */
    static int millis(long nanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos) + (nanos % 1_000_000 == 0 ? 0 : 1);
        return (int) Math.clamp(millis, 1L, Integer.MAX_VALUE);
    }

    /** Returns the name of a port space. */
    static String portSpace(int number) {
        if (number == IbvConstants.RDMA_PS_TCP()) {
            return "TCP";
        }
        if (number == IbvConstants.RDMA_PS_UDP()) {
            return "UDP";
        }
        return number == IbvConstants.RDMA_PS_IPOIB() ? "IPOIB" : "IB";
    }

    /** Returns whether the IDs of a port space are of type UD. */
    static boolean isDatagram(int portSpace) {
        return portSpace == IbvConstants.RDMA_PS_UDP() || portSpace == IbvConstants.RDMA_PS_IPOIB();
    }

    /** Returns a {@code struct rdma_conn_param}, which is that of UD IDs, too. */
    static MemorySegment write(CmParameters from, SegmentAllocator allocator) {
        MemorySegment to = rdma_conn_param.allocate(allocator);
        rdma_conn_param.private_data(to, data(from.privateData(), allocator));
        rdma_conn_param.private_data_len(to, (byte) from.privateData().length);
        rdma_conn_param.responder_resources(to, (byte) from.responderResources());
        rdma_conn_param.initiator_depth(to, (byte) from.initiatorDepth());
        rdma_conn_param.flow_control(to, (byte) (from.flowControl() ? 1 : 0));
        rdma_conn_param.retry_count(to, (byte) from.retryCount());
        rdma_conn_param.rnr_retry_count(to, (byte) from.rnrRetryCount());
        rdma_conn_param.srq(to, (byte) (from.srq() ? 1 : 0));
        rdma_conn_param.qp_num(to, from.qpNumber());
        return to;
    }

    /** Returns a copy of private data, {@code NULL} if there is none. */
    static MemorySegment data(byte[] from, SegmentAllocator allocator) {
        return from.length == 0 ? MemorySegment.NULL : allocator.allocateFrom(ValueLayout.JAVA_BYTE, from);
    }

    /** Returns a {@code struct rdma_cm_join_mc_attr_ex}. */
    static MemorySegment join(InetSocketAddress group, boolean sendOnly, SegmentAllocator allocator) {
        MemorySegment to = rdma_cm_join_mc_attr_ex.allocate(allocator);
        rdma_cm_join_mc_attr_ex.comp_mask(to, IbvConstants.RDMA_CM_JOIN_MC_ATTR_ADDRESS()
                | IbvConstants.RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS());
        rdma_cm_join_mc_attr_ex.join_flags(to, sendOnly
                ? IbvConstants.RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER()
                : IbvConstants.RDMA_MC_JOIN_FLAG_FULLMEMBER());
        rdma_cm_join_mc_attr_ex.addr(to, SocketAddresses.write(group, allocator));
        return to;
    }

    static CmParameters readConnected(MemorySegment from) {
        return new CmParameters(
                bytes(rdma_conn_param.private_data(from), rdma_conn_param.private_data_len(from)),
                Byte.toUnsignedInt(rdma_conn_param.responder_resources(from)),
                Byte.toUnsignedInt(rdma_conn_param.initiator_depth(from)), rdma_conn_param.flow_control(from) != 0,
                Byte.toUnsignedInt(rdma_conn_param.retry_count(from)),
                Byte.toUnsignedInt(rdma_conn_param.rnr_retry_count(from)), rdma_conn_param.srq(from) != 0,
                rdma_conn_param.qp_num(from), 0);
    }

    static CmParameters readDatagram(MemorySegment from) {
        return datagram(bytes(rdma_ud_param.private_data(from), rdma_ud_param.private_data_len(from)), from);
    }

    /** Reads the parameters of a multicast group, in which {@code private_data} is no address. */
    static CmParameters readGroup(MemorySegment from) {
        return datagram(NO_DATA, from);
    }

    private static CmParameters datagram(byte[] data, MemorySegment from) {
        return new CmParameters(data, 0, 0, false, 0, 0, false, rdma_ud_param.qp_num(from), rdma_ud_param.qkey(from));
    }

    private static byte[] bytes(MemorySegment data, byte length) {
        return length == 0
                ? NO_DATA
                : NativeMemory.segment(data.address(), Byte.toUnsignedInt(length)).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Writes the value of an option; its length depends on the option. */
    static MemorySegment option(int option, int value, SegmentAllocator allocator) {
        boolean isByte = option == IbvConstants.RDMA_OPTION_ID_TOS()
                || option == IbvConstants.RDMA_OPTION_ID_ACK_TIMEOUT();
        return isByte
                ? allocator.allocateFrom(ValueLayout.JAVA_BYTE, (byte) value)
                : allocator.allocateFrom(ValueLayout.JAVA_INT, value);
    }
}
