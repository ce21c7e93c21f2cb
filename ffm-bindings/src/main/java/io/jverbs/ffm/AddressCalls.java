package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import java.lang.foreign.MemorySegment;

/** The verbs of address handles. Each method behaves as the man page of the verb of the same name says. */
public final class AddressCalls {

    private AddressCalls() {}

    /**
     * {@code ibv_create_ah}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param attr a {@code struct ibv_ah_attr}
     * @return the {@code struct ibv_ah}, or -errno
     */
    public static long createAh(long pd, MemorySegment attr) {
        return Call.pointer(IBV_CREATE_AH.handle(), pd, attr);
    }

    /**
     * {@code ibv_init_ah_from_wc}.
     *
     * @param context a {@code struct ibv_context}
     * @param port the number of the port, from 1
     * @param wc the {@code struct ibv_wc} of a received datagram
     * @param grh the {@code struct ibv_grh} of that datagram, or {@code MemorySegment.NULL}
     * @param attr a {@code struct ibv_ah_attr}; receives the result
     * @return 0 or the errno
     */
    public static int initAhFromWc(long context, int port, MemorySegment wc, MemorySegment grh, MemorySegment attr) {
        var errno = Errno.segment();
        try {
            return Errno.status(
                    (int) IBV_INIT_AH_FROM_WC.handle().invokeExact(errno, context, (byte) port, wc, grh, attr), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_create_ah_from_wc}.
     *
     * @param pd a {@code struct ibv_pd}
     * @param wc the {@code struct ibv_wc} of a received datagram
     * @param grh the {@code struct ibv_grh} of that datagram, or {@code MemorySegment.NULL}
     * @param port the number of the port, from 1
     * @return the {@code struct ibv_ah}, or -errno
     */
    public static long createAhFromWc(long pd, MemorySegment wc, MemorySegment grh, int port) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) IBV_CREATE_AH_FROM_WC.handle().invokeExact(errno, pd, wc, grh, (byte) port),
                    errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_destroy_ah}.
     *
     * @param ah a {@code struct ibv_ah}
     * @return 0 or the errno
     */
    public static int destroyAh(long ah) {
        return Call.status(IBV_DESTROY_AH.handle(), ah);
    }

    /**
     * {@code ibv_resolve_eth_l2_from_gid}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_ah_attr} with a destination GID
     * @param mac 6 bytes; receives the Ethernet address of the destination
     * @param vlan a {@code uint16_t}; receives the VLAN id
     * @return 0 or the errno
     */
    public static int resolveEthL2FromGid(long context, MemorySegment attr, MemorySegment mac, MemorySegment vlan) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) IBV_RESOLVE_ETH_L2_FROM_GID.handle().invokeExact(errno, context, attr, mac, vlan),
                    errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
