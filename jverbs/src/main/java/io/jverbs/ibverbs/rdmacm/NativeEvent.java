package io.jverbs.ibverbs.rdmacm;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.ffm.ConnectionCalls;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.rdma_cm_event;
import io.jverbs.ffm.ibverbs.rdma_ud_param;
import io.jverbs.ibverbs.shared.AhStruct;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmParameters;
import java.lang.foreign.MemorySegment;

/** An event of librdmacm, {@code struct rdma_cm_event}, which is read before it is acknowledged. Immutable. */
final class NativeEvent {
    private final MemorySegment struct;
    private final int type;

    NativeEvent(long address) {
        struct = NativeMemory.segment(address, rdma_cm_event.sizeof());
        type = rdma_cm_event.event(struct);
    }

    /** Copies the event; returns null if the program does not get it. */
    CmEventData data(NativeCm manager, NativeCmChannel channel) {
        long address = rdma_cm_event.id(struct).address();
        if (type == IbvConstants.RDMA_CM_EVENT_CONNECT_REQUEST()) {
            return channel.request(address, manager.id(rdma_cm_event.listen_id(struct).address()), this);
        }
        NativeCmId id = manager.id(address);
        if (id == null || id.owner() == null) {
            // the program does not have the ID yet; the kernel raises no event before the program accepts it
            return null;
        }
        id.occurred(type);
        boolean isForeign = type == IbvConstants.RDMA_CM_EVENT_ADDR_RESOLVED() && !id.hasDevice();
        return isForeign
                ? new CmEventData(IbvConstants.RDMA_CM_EVENT_ADDR_ERROR(), id, null, -Errno.ENODEV.code(), null, null,
                        null)
                : copy(id);
    }

    private CmEventData copy(NativeCmId id) {
        if (type == IbvConstants.RDMA_CM_EVENT_MULTICAST_JOIN()
                || type == IbvConstants.RDMA_CM_EVENT_MULTICAST_ERROR()) {
            return membership(id);
        }
        boolean hasPath = id.isDatagram() && type == IbvConstants.RDMA_CM_EVENT_ESTABLISHED();
        return new CmEventData(type, id, null, status(), parameters(id), hasPath ? path() : null, null);
    }

    private CmEventData membership(NativeCmId id) {
        long key = rdma_ud_param.private_data(datagram()).address();
        Object context = id.memberships().context(key);
        if (type == IbvConstants.RDMA_CM_EVENT_MULTICAST_ERROR()) {
            return new CmEventData(type, id, null, status(), null, null, context);
        }
        return new CmEventData(type, id, null, status(), ParameterStruct.readGroup(datagram()), path(), context);
    }

    /** Destroys the ID that a connect request has created; the peer gets a REJ. */
    void destroyChild() {
        if (type == IbvConstants.RDMA_CM_EVENT_CONNECT_REQUEST()) {
            ConnectionCalls.destroyId(rdma_cm_event.id(struct).address());
        }
    }

    /** Returns a connect request for a new ID. */
    CmEventData request(NativeCmId child, NativeCmId listener) {
        return new CmEventData(type, child, listener, status(), parameters(listener), null, null);
    }

    /** Returns what the peer has given; null for events of this side. */
    private CmParameters parameters(NativeCmId id) {
        boolean isOfPeer = type >= IbvConstants.RDMA_CM_EVENT_CONNECT_REQUEST()
                && type <= IbvConstants.RDMA_CM_EVENT_DISCONNECTED();
        if (!isOfPeer) {
            return null;
        }
        return id.isDatagram()
                ? ParameterStruct.readDatagram(datagram())
                : ParameterStruct.readConnected(rdma_cm_event.param.conn(rdma_cm_event.param(struct)));
    }

    private int status() {
        return rdma_cm_event.status(struct);
    }

    private MemorySegment datagram() {
        return rdma_cm_event.param.ud(rdma_cm_event.param(struct));
    }

    private AhAttributes path() {
        return AhStruct.read(rdma_ud_param.ah_attr(datagram()));
    }
}
