package io.jverbs.ibverbs.rdmacm;

import io.jverbs.ffm.Fields;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.rdma_addr;
import io.jverbs.ffm.ibverbs.rdma_cm_id;
import io.jverbs.ffm.ibverbs.rdma_ib_addr;
import io.jverbs.ffm.ibverbs.rdma_route;
import io.jverbs.ibverbs.shared.AhStruct;
import io.jverbs.spi.CmIdOps.Route;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** The fields of a {@code struct rdma_cm_id}, as librdmacm has filled them. It is read while the ID exists. */
final class IdStruct {
    static final Route NO_ROUTE = new Route(null, null, null, 0, null, null);

    private final MemorySegment struct;
    private final String device;

    /** @param device the name of the device of the context */
    IdStruct(long address, String device) {
        this.struct = NativeMemory.segment(address, rdma_cm_id.sizeof());
        this.device = device;
    }

    /** Returns whether the ID is bound to the device of the context. */
    boolean isBound() {
        long verbs = rdma_cm_id.verbs(struct).address();
        return verbs != 0 && Fields.deviceName(Fields.device(verbs)).equals(device);
    }

    /** Returns whether the device transmits private data without a message of fixed length. */
    boolean isIwarp() {
        long verbs = rdma_cm_id.verbs(struct).address();
        return verbs != 0 && Fields.transportType(Fields.device(verbs)) == IbvConstants.IBV_TRANSPORT_IWARP();
    }

    /**
     * Returns the addresses and the path.
     *
     * @param hasPath whether the address of the peer is resolved; before, librdmacm has GIDs without meaning
     */
    Route route(boolean hasPath) {
        MemorySegment addresses = rdma_route.addr(rdma_cm_id.route(struct));
        InetSocketAddress local = SocketAddresses.read(rdma_addr.src_storage(addresses));
        InetSocketAddress remote = peer(SocketAddresses.read(rdma_addr.dst_storage(addresses)));
        boolean isBound = isBound();
        MemorySegment gids = rdma_addr.addr.ibaddr(rdma_addr.addr(addresses));
        return new Route(local, remote, isBound ? device : null,
                isBound ? Byte.toUnsignedInt(rdma_cm_id.port_num(struct)) : 0,
                hasPath ? AhStruct.gid(rdma_ib_addr.sgid(gids)) : null,
                hasPath ? AhStruct.gid(rdma_ib_addr.dgid(gids)) : null);
    }

    /** Returns null for the address of an ID that is only bound: the kernel has set the family. */
    private static InetSocketAddress peer(InetSocketAddress address) {
        return address != null && address.getPort() == 0 && address.getAddress().isAnyLocalAddress() ? null : address;
    }
}
