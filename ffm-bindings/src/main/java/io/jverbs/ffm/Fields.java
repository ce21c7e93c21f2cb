package io.jverbs.ffm;

import io.jverbs.ffm.ibverbs.ibv_ah;
import io.jverbs.ffm.ibverbs.ibv_comp_channel;
import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_cq;
import io.jverbs.ffm.ibverbs.ibv_device;
import io.jverbs.ffm.ibverbs.ibv_mr;
import io.jverbs.ffm.ibverbs.ibv_mw;
import io.jverbs.ffm.ibverbs.ibv_pd;
import io.jverbs.ffm.ibverbs.ibv_qp;
import io.jverbs.ffm.ibverbs.ibv_srq;
import io.jverbs.ffm.ibverbs.rdma_event_channel;
import java.lang.foreign.GroupLayout;

/**
 * The public fields of the structs that the library creates, read with the layout of this processor. Any thread may
 * call any method while the object exists.
 */
public final class Fields {

    private static final long CONTEXT_ASYNC_FD = of(ibv_context.layout(), "async_fd");
    private static final long CONTEXT_COMMAND_FD = of(ibv_context.layout(), "cmd_fd");
    private static final long CONTEXT_VECTORS = of(ibv_context.layout(), "num_comp_vectors");
    private static final long CONTEXT_DEVICE = of(ibv_context.layout(), "device");
    private static final long DEVICE_NODE_TYPE = of(ibv_device.layout(), "node_type");
    private static final long DEVICE_TRANSPORT = of(ibv_device.layout(), "transport_type");
    private static final long DEVICE_NAME = of(ibv_device.layout(), "name");
    private static final long DEVICE_DEV_NAME = of(ibv_device.layout(), "dev_name");
    private static final long DEVICE_DEV_PATH = of(ibv_device.layout(), "dev_path");
    private static final long DEVICE_IBDEV_PATH = of(ibv_device.layout(), "ibdev_path");
    private static final long PD_HANDLE = of(ibv_pd.layout(), "handle");
    private static final long MR_ADDRESS = of(ibv_mr.layout(), "addr");
    private static final long MR_LENGTH = of(ibv_mr.layout(), "length");
    private static final long MR_HANDLE = of(ibv_mr.layout(), "handle");
    private static final long MR_LKEY = of(ibv_mr.layout(), "lkey");
    private static final long MR_RKEY = of(ibv_mr.layout(), "rkey");
    private static final long MW_RKEY = of(ibv_mw.layout(), "rkey");
    private static final long MW_HANDLE = of(ibv_mw.layout(), "handle");
    private static final long MW_TYPE = of(ibv_mw.layout(), "type");
    private static final long CHANNEL_FD = of(ibv_comp_channel.layout(), "fd");
    private static final long CM_CHANNEL_FD = of(rdma_event_channel.layout(), "fd");
    private static final long CQ_HANDLE = of(ibv_cq.layout(), "handle");
    private static final long CQ_CQE = of(ibv_cq.layout(), "cqe");
    private static final long CQ_CHANNEL = of(ibv_cq.layout(), "channel");
    private static final long SRQ_HANDLE = of(ibv_srq.layout(), "handle");
    private static final long QP_HANDLE = of(ibv_qp.layout(), "handle");
    private static final long QP_NUMBER = of(ibv_qp.layout(), "qp_num");
    private static final long QP_STATE = of(ibv_qp.layout(), "state");
    private static final long QP_TYPE = of(ibv_qp.layout(), "qp_type");
    private static final long AH_HANDLE = of(ibv_ah.layout(), "handle");

    private Fields() {}

    private static long of(GroupLayout struct, String field) {
        return Abi.CURRENT.offset(struct, field);
    }

    /**
     * {@return the {@code struct ibv_context} of an object, which is its first field}
     *
     * @param object a {@code struct ibv_pd}, {@code ibv_mr}, {@code ibv_mw}, {@code ibv_cq}, {@code ibv_srq}, {@code
     *        ibv_qp}, {@code ibv_ah}, {@code ibv_comp_channel}, {@code ibv_td}, {@code ibv_xrcd} or {@code ibv_dm}
     */
    public static long context(long object) {
        return NativeMemory.getLong(object);
    }

    /**
     * {@return the file descriptor that is readable if there is an asynchronous event}
     *
     * @param context a {@code struct ibv_context}
     */
    public static int asyncFd(long context) {
        return NativeMemory.getInt(context + CONTEXT_ASYNC_FD);
    }

    /**
     * {@return the file descriptor for commands to the kernel}
     *
     * @param context a {@code struct ibv_context}
     */
    public static int commandFd(long context) {
        return NativeMemory.getInt(context + CONTEXT_COMMAND_FD);
    }

    /**
     * {@return the number of completion vectors}
     *
     * @param context a {@code struct ibv_context}
     */
    public static int numCompVectors(long context) {
        return NativeMemory.getInt(context + CONTEXT_VECTORS);
    }

    /**
     * {@return the {@code struct ibv_device} that was opened}
     *
     * @param context a {@code struct ibv_context}
     */
    public static long device(long context) {
        return NativeMemory.getLong(context + CONTEXT_DEVICE);
    }

    /**
     * {@return the {@code enum ibv_node_type} of a device}
     *
     * @param device a {@code struct ibv_device}
     */
    public static int nodeType(long device) {
        return NativeMemory.getInt(device + DEVICE_NODE_TYPE);
    }

    /**
     * {@return the {@code enum ibv_transport_type} of a device}
     *
     * @param device a {@code struct ibv_device}
     */
    public static int transportType(long device) {
        return NativeMemory.getInt(device + DEVICE_TRANSPORT);
    }

    /**
     * {@return the kernel name of a device, for instance {@code mlx5_0}}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String deviceName(long device) {
        return NativeMemory.string(device + DEVICE_NAME);
    }

    /**
     * {@return the name of the device file, for instance {@code uverbs0}}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String uverbsName(long device) {
        return NativeMemory.string(device + DEVICE_DEV_NAME);
    }

    /**
     * {@return the sysfs directory of the device file}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String uverbsPath(long device) {
        return NativeMemory.string(device + DEVICE_DEV_PATH);
    }

    /**
     * {@return the sysfs directory of the device}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String deviceSysfsPath(long device) {
        return NativeMemory.string(device + DEVICE_IBDEV_PATH);
    }

    /**
     * {@return the kernel handle of a protection domain}
     *
     * @param pd a {@code struct ibv_pd}
     */
    public static int pdHandle(long pd) {
        return NativeMemory.getInt(pd + PD_HANDLE);
    }

    /**
     * {@return the address with which a region was registered}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static long mrAddress(long mr) {
        return NativeMemory.getLong(mr + MR_ADDRESS);
    }

    /**
     * {@return the length of a region in bytes}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static long mrLength(long mr) {
        return NativeMemory.getLong(mr + MR_LENGTH);
    }

    /**
     * {@return the kernel handle of a region}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static int mrHandle(long mr) {
        return NativeMemory.getInt(mr + MR_HANDLE);
    }

    /**
     * {@return the local key of a region}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static int lkey(long mr) {
        return NativeMemory.getInt(mr + MR_LKEY);
    }

    /**
     * {@return the remote key of a region}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static int rkey(long mr) {
        return NativeMemory.getInt(mr + MR_RKEY);
    }

    /**
     * {@return the remote key of a window; a bind of a type 1 window changes it}
     *
     * @param mw a {@code struct ibv_mw}
     */
    public static int mwRkey(long mw) {
        return NativeMemory.getInt(mw + MW_RKEY);
    }

    /**
     * {@return the kernel handle of a window}
     *
     * @param mw a {@code struct ibv_mw}
     */
    public static int mwHandle(long mw) {
        return NativeMemory.getInt(mw + MW_HANDLE);
    }

    /**
     * {@return the {@code enum ibv_mw_type} of a window}
     *
     * @param mw a {@code struct ibv_mw}
     */
    public static int mwType(long mw) {
        return NativeMemory.getInt(mw + MW_TYPE);
    }

    /**
     * {@return the file descriptor that is readable if there is a completion event}
     *
     * @param channel a {@code struct ibv_comp_channel}
     */
    public static int channelFd(long channel) {
        return NativeMemory.getInt(channel + CHANNEL_FD);
    }

    /**
     * {@return the file descriptor that is readable if there is an event of the connection manager}
     *
     * @param channel a {@code struct rdma_event_channel}
     */
    public static int cmChannelFd(long channel) {
        return NativeMemory.getInt(channel + CM_CHANNEL_FD);
    }

    /**
     * {@return the kernel handle of a completion queue}
     *
     * @param cq a {@code struct ibv_cq}
     */
    public static int cqHandle(long cq) {
        return NativeMemory.getInt(cq + CQ_HANDLE);
    }

    /**
     * {@return the number of completions that a queue can hold}
     *
     * @param cq a {@code struct ibv_cq}
     */
    public static int cqe(long cq) {
        return NativeMemory.getInt(cq + CQ_CQE);
    }

    /**
     * {@return the {@code struct ibv_comp_channel} of a queue, or 0}
     *
     * @param cq a {@code struct ibv_cq}
     */
    public static long cqChannel(long cq) {
        return NativeMemory.getLong(cq + CQ_CHANNEL);
    }

    /**
     * {@return the kernel handle of a shared receive queue}
     *
     * @param srq a {@code struct ibv_srq}
     */
    public static int srqHandle(long srq) {
        return NativeMemory.getInt(srq + SRQ_HANDLE);
    }

    /**
     * {@return the kernel handle of a queue pair}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpHandle(long qp) {
        return NativeMemory.getInt(qp + QP_HANDLE);
    }

    /**
     * {@return the number of a queue pair}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpNumber(long qp) {
        return NativeMemory.getInt(qp + QP_NUMBER);
    }

    /**
     * {@return the last {@code enum ibv_qp_state} of a queue pair that the library knows}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpState(long qp) {
        return NativeMemory.getInt(qp + QP_STATE);
    }

    /**
     * {@return the {@code enum ibv_qp_type} of a queue pair}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpType(long qp) {
        return NativeMemory.getInt(qp + QP_TYPE);
    }

    /**
     * {@return the kernel handle of an address handle}
     *
     * @param ah a {@code struct ibv_ah}
     */
    public static int ahHandle(long ah) {
        return NativeMemory.getInt(ah + AH_HANDLE);
    }
}
