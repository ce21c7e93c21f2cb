package io.jverbs.ffm;

import static io.jverbs.ffm.RdmacmFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The functions of librdmacm, the connection manager, for IDs with an event channel. Each method behaves as the man
 * page of the function of the same name says. None may be called unless {@link NativeLibrary#rdmacm()} is usable.
 *
 * <p>
 * The functions for queue pairs are not here: an ID of this library has none. Its queue pair belongs to the {@code
 * struct ibv_context} of the caller, whereas librdmacm opens each device for itself. The kernel needs only the number.
 */
public final class ConnectionCalls {

    private ConnectionCalls() {}

    /**
     * {@code rdma_create_event_channel}.
     *
     * @return the {@code struct rdma_event_channel}, or -errno: {@code ENODEV} (19) if there is no device, {@code
     *         ENOENT} (2) if the kernel module {@code rdma_ucm} is not loaded, {@code EACCES} (13) without permission
     *         for {@code /dev/infiniband/rdma_cm}
     */
    public static long createEventChannel() {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) RDMA_CREATE_EVENT_CHANNEL.handle().invokeExact(errno), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_destroy_event_channel}. The program has destroyed the IDs of the channel.
     *
     * @param channel a {@code struct rdma_event_channel}
     */
    public static void destroyEventChannel(long channel) {
        Call.procedure(RDMA_DESTROY_EVENT_CHANNEL.handle(), channel);
    }

    /**
     * {@code rdma_get_cm_event}. Waits for an event, unless the file descriptor of the channel is non-blocking.
     *
     * @param channel a {@code struct rdma_event_channel}
     * @param event a pointer; receives the {@code struct rdma_cm_event}, which {@link #ackCmEvent} frees
     * @return 0 or the errno: {@code EAGAIN} (11) if there is no event and the file descriptor is non-blocking
     */
    public static int getCmEvent(long channel, MemorySegment event) {
        return Call.status(RDMA_GET_CM_EVENT.handle(), channel, event);
    }

    /**
     * {@code rdma_ack_cm_event}.
     *
     * @param event a {@code struct rdma_cm_event} that {@link #getCmEvent} returned
     * @return 0 or the errno
     */
    public static int ackCmEvent(long event) {
        return Call.status(RDMA_ACK_CM_EVENT.handle(), event);
    }

    /**
     * {@return the text of an {@code enum rdma_cm_event_type}}
     *
     * @param event the value
     */
    public static String eventStr(int event) {
        return NativeMemory.string(Call.address(RDMA_EVENT_STR.handle(), event));
    }

    /**
     * {@code rdma_create_id}.
     *
     * @param channel a {@code struct rdma_event_channel}; not 0, as the library would then wait in each call
     * @param id a pointer; receives the result
     * @param context the value of the field {@code context} of the ID and of those that its connect requests create
     * @param portSpace a value of {@code enum rdma_port_space}
     * @return the {@code struct rdma_cm_id}, or -errno
     */
    public static long createId(long channel, MemorySegment id, long context, int portSpace) {
        var errno = Errno.segment();
        try {
            int status = Errno.status(
                    (int) RDMA_CREATE_ID.handle().invokeExact(errno, channel, id, context, portSpace), errno);
            return status == 0 ? id.get(ValueLayout.JAVA_LONG, 0) : -status;
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_destroy_id}. Waits until every event of the ID that {@link #getCmEvent} returned has been
     * acknowledged.
     *
     * @param id a {@code struct rdma_cm_id}
     * @return 0 or the errno
     */
    public static int destroyId(long id) {
        return Call.status(RDMA_DESTROY_ID.handle(), id);
    }

    /**
     * {@code rdma_migrate_id}. Waits until every event of the ID that {@link #getCmEvent} returned has been
     * acknowledged.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param channel the new {@code struct rdma_event_channel}
     * @return 0 or the errno
     */
    public static int migrateId(long id, long channel) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) RDMA_MIGRATE_ID.handle().invokeExact(errno, id, channel), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_set_option}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param level {@code RDMA_OPTION_ID} (0) or {@code RDMA_OPTION_IB} (1)
     * @param option the number of the option
     * @param value the value, as long as the option requires
     * @return 0 or the errno
     */
    public static int setOption(long id, int level, int option, MemorySegment value) {
        var errno = Errno.segment();
        try {
            return Errno.status(
                    (int) RDMA_SET_OPTION.handle().invokeExact(errno, id, level, option, value, value.byteSize()),
                    errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_bind_addr}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param address a {@code struct sockaddr_in} or {@code sockaddr_in6}
     * @return 0 or the errno
     */
    public static int bindAddr(long id, MemorySegment address) {
        return Call.status(RDMA_BIND_ADDR.handle(), id, address);
    }

    /**
     * {@code rdma_resolve_addr}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param source a {@code struct sockaddr_in} or {@code sockaddr_in6}, or {@code MemorySegment.NULL}
     * @param destination a {@code struct sockaddr_in} or {@code sockaddr_in6}
     * @param timeoutMillis the maximum time, in milliseconds
     * @return 0 or the errno
     */
    public static int resolveAddr(long id, MemorySegment source, MemorySegment destination, int timeoutMillis) {
        var errno = Errno.segment();
        try {
            return Errno.status(
                    (int) RDMA_RESOLVE_ADDR.handle().invokeExact(errno, id, source, destination, timeoutMillis), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_resolve_route}. The field {@code verbs} of the ID must not be null, as the library reads it.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param timeoutMillis the maximum time, in milliseconds
     * @return 0 or the errno
     */
    public static int resolveRoute(long id, int timeoutMillis) {
        return Call.status(RDMA_RESOLVE_ROUTE.handle(), id, timeoutMillis);
    }

    /**
     * {@code rdma_listen}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param backlog the number of connect requests that may wait until they are retrieved
     * @return 0 or the errno
     */
    public static int listen(long id, int backlog) {
        return Call.status(RDMA_LISTEN.handle(), id, backlog);
    }

    /**
     * {@code rdma_connect}. The field {@code verbs} of the ID must not be null, as the library reads its device.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param parameters a {@code struct rdma_conn_param}
     * @return 0 or the errno
     */
    public static int connect(long id, MemorySegment parameters) {
        return Call.status(RDMA_CONNECT.handle(), id, parameters);
    }

    /**
     * {@code rdma_accept}. The field {@code verbs} of the ID must not be null, as the library reads its device.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param parameters a {@code struct rdma_conn_param}
     * @return 0 or the errno
     */
    public static int accept(long id, MemorySegment parameters) {
        return Call.status(RDMA_ACCEPT.handle(), id, parameters);
    }

    /**
     * {@code rdma_reject}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param privateData the private data, or {@code MemorySegment.NULL}
     * @param privateDataLength its length, 0 to 255
     * @return 0 or the errno
     */
    public static int reject(long id, MemorySegment privateData, int privateDataLength) {
        var errno = Errno.segment();
        try {
            return Errno.status(
                    (int) RDMA_REJECT.handle().invokeExact(errno, id, privateData, (byte) privateDataLength), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_reject_ece}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param privateData the private data, or {@code MemorySegment.NULL}
     * @param privateDataLength its length, 0 to 255
     * @return 0 or the errno
     */
    public static int rejectEce(long id, MemorySegment privateData, int privateDataLength) {
        var errno = Errno.segment();
        try {
            return Errno.status(
                    (int) RDMA_REJECT_ECE.handle().invokeExact(errno, id, privateData, (byte) privateDataLength),
                    errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_establish}. The ID has no queue pair.
     *
     * @param id a {@code struct rdma_cm_id}
     * @return 0 or the errno
     */
    public static int establish(long id) {
        return Call.status(RDMA_ESTABLISH.handle(), id);
    }

    /**
     * {@code rdma_notify}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param event a value of {@code enum ibv_event_type}
     * @return 0 or the errno: {@code EISCONN} (106) if the connection is established
     */
    public static int notify(long id, int event) {
        return Call.status(RDMA_NOTIFY.handle(), id, event);
    }

    /**
     * {@code rdma_disconnect}. The field {@code verbs} of the ID must not be null, as the library reads it.
     *
     * @param id a {@code struct rdma_cm_id}
     * @return 0 or the errno
     */
    public static int disconnect(long id) {
        return Call.status(RDMA_DISCONNECT.handle(), id);
    }

    /**
     * {@code rdma_init_qp_attr}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param attr a {@code struct ibv_qp_attr} with the state to which the queue pair shall be moved; receives the
     *         attributes
     * @param mask an {@code int}; receives bits of {@code enum ibv_qp_attr_mask}
     * @return 0 or the errno
     */
    public static int initQpAttr(long id, MemorySegment attr, MemorySegment mask) {
        return Call.status(RDMA_INIT_QP_ATTR.handle(), id, attr, mask);
    }

    /**
     * {@code rdma_join_multicast_ex}.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param attr a {@code struct rdma_cm_join_mc_attr_ex}
     * @param context the value of {@code param.ud.private_data} in the events of the membership
     * @return 0 or the errno
     */
    public static int joinMulticastEx(long id, MemorySegment attr, long context) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) RDMA_JOIN_MULTICAST_EX.handle().invokeExact(errno, id, attr, context), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code rdma_leave_multicast}. Waits until every event of the membership that {@link #getCmEvent} returned has
     * been acknowledged.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param address the {@code struct sockaddr_in} or {@code sockaddr_in6} that was joined, with all bytes the same
     * @return 0 or the errno: {@code EADDRNOTAVAIL} (99) if the ID has not joined the group
     */
    public static int leaveMulticast(long id, MemorySegment address) {
        return Call.status(RDMA_LEAVE_MULTICAST.handle(), id, address);
    }

    /**
     * {@code rdma_set_local_ece}. The ID has no queue pair.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param ece a {@code struct ibv_ece}
     * @return 0 or the errno
     */
    public static int setLocalEce(long id, MemorySegment ece) {
        return Call.status(RDMA_SET_LOCAL_ECE.handle(), id, ece);
    }

    /**
     * {@code rdma_get_remote_ece}. The ID has no queue pair.
     *
     * @param id a {@code struct rdma_cm_id}
     * @param ece a {@code struct ibv_ece}; receives the options
     * @return 0 or the errno
     */
    public static int getRemoteEce(long id, MemorySegment ece) {
        return Call.status(RDMA_GET_REMOTE_ECE.handle(), id, ece);
    }
}
