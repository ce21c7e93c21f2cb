package io.jverbs.ffm;

import static io.jverbs.ffm.IbverbsFunction.*;

import io.jverbs.ffm.call.Call;
import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import io.jverbs.ffm.ibverbs.ibv_device_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_gid_entry;
import io.jverbs.ffm.ibverbs.ibv_port_attr;
import io.jverbs.ffm.ibverbs.ibv_query_device_ex_input;
import java.lang.foreign.MemorySegment;

/**
 * The verbs of devices and contexts: opening, queries and asynchronous events. Each method behaves as the man page of
 * the verb of the same name says.
 */
public final class DeviceCalls {

    private DeviceCalls() {}

    /**
     * {@code ibv_get_device_list}.
     *
     * @param numDevices an {@code int}; receives the number of devices; or {@code MemorySegment.NULL}
     * @return the address of an array of {@code struct ibv_device *} that ends with a null pointer and that {@link
     *         #freeDeviceList} frees; or -errno: {@code ENOSYS} (38) if the kernel has no RDMA support, {@code EPERM}
     *         (1) without permission
     */
    public static long getDeviceList(MemorySegment numDevices) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) IBV_GET_DEVICE_LIST.handle().invokeExact(errno, numDevices), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_free_device_list}. A device of the list that is not open must not be used after this.
     *
     * @param list the array that {@link #getDeviceList} returned
     */
    public static void freeDeviceList(long list) {
        Call.procedure(IBV_FREE_DEVICE_LIST.handle(), list);
    }

    /**
     * {@return the kernel name of a device: {@code ibv_get_device_name}; empty if it is unknown}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String getDeviceName(long device) {
        long name = Call.pointer(IBV_GET_DEVICE_NAME.handle(), device);
        return name > 0 ? NativeMemory.string(name) : "";
    }

    /**
     * {@return the node GUID in network byte order: {@code ibv_get_device_guid}; 0 if it is unknown}
     *
     * @param device a {@code struct ibv_device}
     */
    public static long getDeviceGuid(long device) {
        try {
            return (long) IBV_GET_DEVICE_GUID.handle().invokeExact(Errno.segment(), device);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@return the kernel index of a device: {@code ibv_get_device_index}; -1 if it is unknown}
     *
     * @param device a {@code struct ibv_device}
     */
    public static int getDeviceIndex(long device) {
        if (!IBV_GET_DEVICE_INDEX.present()) {
            return -1;
        }
        try {
            return (int) IBV_GET_DEVICE_INDEX.handle().invokeExact(Errno.segment(), device);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_open_device}.
     *
     * @param device a {@code struct ibv_device}
     * @return the {@code struct ibv_context}, or -errno: {@code EACCES} (13) or {@code EPERM} (1) without permission
     *         for the device file in {@code /dev/infiniband}, {@code ENOENT} (2) if there is no such file
     */
    public static long openDevice(long device) {
        return Call.pointer(IBV_OPEN_DEVICE.handle(), device);
    }

    /**
     * {@code ibv_close_device}.
     *
     * @param context a {@code struct ibv_context}
     * @return 0 or the errno
     */
    public static int closeDevice(long context) {
        return Call.status(IBV_CLOSE_DEVICE.handle(), context);
    }

    /**
     * {@code ibv_import_device}.
     *
     * @param commandFd the command file descriptor of another context; the new context owns it afterwards
     * @return the {@code struct ibv_context}, or -errno
     */
    public static long importDevice(int commandFd) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) IBV_IMPORT_DEVICE.handle().invokeExact(errno, commandFd), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_get_async_event}. Waits for an event, unless {@code async_fd} of the context is non-blocking.
     *
     * @param context a {@code struct ibv_context}
     * @param event a {@code struct ibv_async_event}; receives the event
     * @return 0 or the errno: {@code EAGAIN} (11) if there is no event and the file descriptor is non-blocking
     */
    public static int getAsyncEvent(long context, MemorySegment event) {
        return Call.status(IBV_GET_ASYNC_EVENT.handle(), context, event);
    }

    /**
     * {@code ibv_ack_async_event}.
     *
     * @param event a {@code struct ibv_async_event} that {@link #getAsyncEvent} filled
     */
    public static void ackAsyncEvent(MemorySegment event) {
        try {
            IBV_ACK_ASYNC_EVENT.handle().invokeExact(Errno.segment(), event);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_query_device}.
     *
     * @param context a {@code struct ibv_context}
     * @param attr a {@code struct ibv_device_attr}; receives the result
     * @return 0 or the errno
     */
    public static int queryDevice(long context, MemorySegment attr) {
        return Call.status(IBV_QUERY_DEVICE.handle(), context, attr);
    }

    /**
     * {@code ibv_query_device_ex}. If the driver does not have it, {@code orig_attr} is the result of {@link
     * #queryDevice}, and all other fields are 0.
     *
     * @param context a {@code struct ibv_context}
     * @param input a {@code struct ibv_query_device_ex_input}, or {@code MemorySegment.NULL}
     * @param attr a {@code struct ibv_device_attr_ex}; receives the result
     * @return 0 or the errno
     */
    public static int queryDeviceEx(long context, MemorySegment input, MemorySegment attr) {
        if (!input.equals(MemorySegment.NULL) && ibv_query_device_ex_input.comp_mask(input) != 0) {
            return Errno.EINVAL;
        }
        var errno = Errno.segment();
        int result;
        try {
            result = Errno.status((int) ContextOp.QUERY_DEVICE_EX.handle(context).invokeExact(errno, context, input,
                    attr, ibv_device_attr_ex.layout().byteSize()), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
        if (result != Errno.EOPNOTSUPP && result != Errno.ENOSYS) {
            return result;
        }
        attr.asSlice(0, ibv_device_attr_ex.layout()).fill((byte) 0);
        return queryDevice(context, ibv_device_attr_ex.orig_attr(attr));
    }

    /**
     * {@code ibv_query_rt_values_ex}.
     *
     * @param context a {@code struct ibv_context}
     * @param values a {@code struct ibv_values_ex}; its mask names the values to query; receives them
     * @return 0 or the errno
     */
    public static int queryRtValuesEx(long context, MemorySegment values) {
        return Call.status(ContextOp.QUERY_RT_VALUES.handle(context), context, values);
    }

    /**
     * {@code ibv_query_port} as {@code infiniband/verbs.h} defines it for C programs. The exported function of this
     * name does not write the last fields of the struct; if the driver has only that one, these fields are 0.
     *
     * @param context a {@code struct ibv_context}
     * @param port the number of the port, from 1
     * @param attr a {@code struct ibv_port_attr}; receives the result
     * @return 0 or the errno
     */
    public static int queryPort(long context, int port, MemorySegment attr) {
        var errno = Errno.segment();
        try {
            if (ContextOp.QUERY_PORT.present(context)) {
                return Errno.status((int) ContextOp.QUERY_PORT.handle(context).invokeExact(errno, context, (byte) port,
                        attr, ibv_port_attr.layout().byteSize()), errno);
            }
            attr.asSlice(0, ibv_port_attr.layout()).fill((byte) 0);
            return Errno.status((int) IBV_QUERY_PORT.handle().invokeExact(errno, context, (byte) port, attr), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_query_gid}.
     *
     * @param context a {@code struct ibv_context}
     * @param port the number of the port, from 1
     * @param index the index of the entry, from 0
     * @param gid a {@code union ibv_gid}; receives the GID
     * @return 0 or the errno
     */
    public static int queryGid(long context, int port, int index, MemorySegment gid) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) IBV_QUERY_GID.handle().invokeExact(errno, context, (byte) port, index, gid),
                    errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_query_gid_ex}.
     *
     * @param context a {@code struct ibv_context}
     * @param port the number of the port, from 1
     * @param index the index of the entry, from 0
     * @param entry a {@code struct ibv_gid_entry}; receives the entry
     * @param flags 0
     * @return 0 or the errno: {@code ENODATA} (61) if the entry is empty
     */
    public static int queryGidEx(long context, int port, int index, MemorySegment entry, int flags) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) _IBV_QUERY_GID_EX.handle().invokeExact(errno, context, port, index, entry, flags,
                    ibv_gid_entry.layout().byteSize()), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_query_gid_table}.
     *
     * @param context a {@code struct ibv_context}
     * @param entries an array of {@code struct ibv_gid_entry}; receives the entries in use of all ports
     * @param maxEntries the length of the array
     * @param flags 0
     * @return the number of entries written, or -errno
     */
    public static long queryGidTable(long context, MemorySegment entries, long maxEntries, int flags) {
        if (!_IBV_QUERY_GID_TABLE.present()) {
            return -Errno.EOPNOTSUPP;
        }
        try {
            return (long) _IBV_QUERY_GID_TABLE.handle().invokeExact(Errno.segment(), context, entries, maxEntries,
                    flags, ibv_gid_entry.layout().byteSize());
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_query_pkey}.
     *
     * @param context a {@code struct ibv_context}
     * @param port the number of the port, from 1
     * @param index the index of the entry, from 0
     * @param pkey a {@code __be16}; receives the P_Key in network byte order
     * @return 0 or the errno
     */
    public static int queryPkey(long context, int port, int index, MemorySegment pkey) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) IBV_QUERY_PKEY.handle().invokeExact(errno, context, (byte) port, index, pkey),
                    errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_get_pkey_index}.
     *
     * @param context a {@code struct ibv_context}
     * @param port the number of the port, from 1
     * @param pkey the P_Key in network byte order
     * @return the index of the P_Key, or -errno
     */
    public static int getPkeyIndex(long context, int port, short pkey) {
        if (!IBV_GET_PKEY_INDEX.present()) {
            return -Errno.EOPNOTSUPP;
        }
        var errno = Errno.segment();
        try {
            int index = (int) IBV_GET_PKEY_INDEX.handle().invokeExact(errno, context, (byte) port, pkey);
            return index >= 0 ? index : -Errno.status(index, errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code ibv_fork_init}.
     *
     * @return 0 or the errno: {@code EINVAL} (22) if memory is already registered
     */
    public static int forkInit() {
        var errno = Errno.segment();
        try {
            return Errno.status((int) IBV_FORK_INIT.handle().invokeExact(errno), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@return the name of an {@code enum ibv_node_type}}
     *
     * @param nodeType the value
     */
    public static String nodeTypeStr(int nodeType) {
        return NativeMemory.string(Call.address(IBV_NODE_TYPE_STR.handle(), nodeType));
    }

    /**
     * {@return the name of an {@code enum ibv_port_state}}
     *
     * @param portState the value
     */
    public static String portStateStr(int portState) {
        return NativeMemory.string(Call.address(IBV_PORT_STATE_STR.handle(), portState));
    }

    /**
     * {@return the name of an {@code enum ibv_event_type}}
     *
     * @param eventType the value
     */
    public static String eventTypeStr(int eventType) {
        return NativeMemory.string(Call.address(IBV_EVENT_TYPE_STR.handle(), eventType));
    }

    /**
     * {@return an {@code enum ibv_rate} in Mbit/s: {@code ibv_rate_to_mbps}; -1 if the value is unknown}
     *
     * @param rate the value
     */
    public static int rateToMbps(int rate) {
        return Call.value(IBV_RATE_TO_MBPS.handle(), rate);
    }

    /**
     * {@return an {@code enum ibv_rate} as a multiple of 2.5 Gbit/s: {@code ibv_rate_to_mult}; -1 if the value is
     * unknown}
     *
     * @param rate the value
     */
    public static int rateToMult(int rate) {
        return Call.value(IBV_RATE_TO_MULT.handle(), rate);
    }
}
