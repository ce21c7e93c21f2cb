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
import java.lang.foreign.GroupLayout;

/** Public fields of the structs that the library makes, each read through the layout of this processor. */
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
     * {@return the {@code struct ibv_context} of an object, which is the first field of each}
     *
     * @param object a {@code struct ibv_pd}, {@code ibv_mr}, {@code ibv_mw}, {@code ibv_cq}, {@code ibv_srq}, {@code
     *        ibv_qp}, {@code ibv_ah}, {@code ibv_comp_channel}, {@code ibv_td}, {@code ibv_xrcd} or {@code ibv_dm}
     */
    public static long context(long object) {
        return NativeMemory.getLong(object);
    }

    /**
     * {@return the file descriptor that is readable while there is an asynchronous event}
     *
     * @param context a {@code struct ibv_context}
     */
    public static int asyncFd(long context) {
        return NativeMemory.getInt(context + CONTEXT_ASYNC_FD);
    }

    /**
     * {@return the file descriptor of commands to the kernel}
     *
     * @param context a {@code struct ibv_context}
     */
    public static int commandFd(long context) {
        return NativeMemory.getInt(context + CONTEXT_COMMAND_FD);
    }

    /**
     * {@return how many completion vectors there are}
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
     * {@return a device's {@code enum ibv_node_type}}
     *
     * @param device a {@code struct ibv_device}
     */
    public static int nodeType(long device) {
        return NativeMemory.getInt(device + DEVICE_NODE_TYPE);
    }

    /**
     * {@return a device's {@code enum ibv_transport_type}}
     *
     * @param device a {@code struct ibv_device}
     */
    public static int transportType(long device) {
        return NativeMemory.getInt(device + DEVICE_TRANSPORT);
    }

    /**
     * {@return the kernel's name of a device, such as {@code mlx5_0}}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String deviceName(long device) {
        return NativeMemory.string(device + DEVICE_NAME);
    }

    /**
     * {@return the name of its file, such as {@code uverbs0}}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String uverbsName(long device) {
        return NativeMemory.string(device + DEVICE_DEV_NAME);
    }

    /**
     * {@return the folder of its file in sysfs}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String uverbsPath(long device) {
        return NativeMemory.string(device + DEVICE_DEV_PATH);
    }

    /**
     * {@return the folder of the device in sysfs}
     *
     * @param device a {@code struct ibv_device}
     */
    public static String deviceSysfsPath(long device) {
        return NativeMemory.string(device + DEVICE_IBDEV_PATH);
    }

    /**
     * {@return the kernel's handle of a protection domain}
     *
     * @param pd a {@code struct ibv_pd}
     */
    public static int pdHandle(long pd) {
        return NativeMemory.getInt(pd + PD_HANDLE);
    }

    /**
     * {@return the address that a region was registered with}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static long mrAddress(long mr) {
        return NativeMemory.getLong(mr + MR_ADDRESS);
    }

    /**
     * {@return a region's length in bytes}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static long mrLength(long mr) {
        return NativeMemory.getLong(mr + MR_LENGTH);
    }

    /**
     * {@return the kernel's handle of a region}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static int mrHandle(long mr) {
        return NativeMemory.getInt(mr + MR_HANDLE);
    }

    /**
     * {@return a region's local key}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static int lkey(long mr) {
        return NativeMemory.getInt(mr + MR_LKEY);
    }

    /**
     * {@return a region's remote key}
     *
     * @param mr a {@code struct ibv_mr}
     */
    public static int rkey(long mr) {
        return NativeMemory.getInt(mr + MR_RKEY);
    }

    /**
     * {@return a window's remote key, which a bind of type 1 changes}
     *
     * @param mw a {@code struct ibv_mw}
     */
    public static int mwRkey(long mw) {
        return NativeMemory.getInt(mw + MW_RKEY);
    }

    /**
     * {@return the kernel's handle of a window}
     *
     * @param mw a {@code struct ibv_mw}
     */
    public static int mwHandle(long mw) {
        return NativeMemory.getInt(mw + MW_HANDLE);
    }

    /**
     * {@return a window's {@code enum ibv_mw_type}}
     *
     * @param mw a {@code struct ibv_mw}
     */
    public static int mwType(long mw) {
        return NativeMemory.getInt(mw + MW_TYPE);
    }

    /**
     * {@return the file descriptor that is readable while there is a completion event}
     *
     * @param channel a {@code struct ibv_comp_channel}
     */
    public static int channelFd(long channel) {
        return NativeMemory.getInt(channel + CHANNEL_FD);
    }

    /**
     * {@return the kernel's handle of a completion queue}
     *
     * @param cq a {@code struct ibv_cq}
     */
    public static int cqHandle(long cq) {
        return NativeMemory.getInt(cq + CQ_HANDLE);
    }

    /**
     * {@return how many completions a queue holds}
     *
     * @param cq a {@code struct ibv_cq}
     */
    public static int cqe(long cq) {
        return NativeMemory.getInt(cq + CQ_CQE);
    }

    /**
     * {@return its {@code struct ibv_comp_channel}, or 0}
     *
     * @param cq a {@code struct ibv_cq}
     */
    public static long cqChannel(long cq) {
        return NativeMemory.getLong(cq + CQ_CHANNEL);
    }

    /**
     * {@return the kernel's handle of a shared receive queue}
     *
     * @param srq a {@code struct ibv_srq}
     */
    public static int srqHandle(long srq) {
        return NativeMemory.getInt(srq + SRQ_HANDLE);
    }

    /**
     * {@return the kernel's handle of a queue pair}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpHandle(long qp) {
        return NativeMemory.getInt(qp + QP_HANDLE);
    }

    /**
     * {@return a queue pair's number}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpNumber(long qp) {
        return NativeMemory.getInt(qp + QP_NUMBER);
    }

    /**
     * {@return the {@code enum ibv_qp_state} that the library last knew of}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpState(long qp) {
        return NativeMemory.getInt(qp + QP_STATE);
    }

    /**
     * {@return a queue pair's {@code enum ibv_qp_type}}
     *
     * @param qp a {@code struct ibv_qp}
     */
    public static int qpType(long qp) {
        return NativeMemory.getInt(qp + QP_TYPE);
    }

    /**
     * {@return the kernel's handle of an address handle}
     *
     * @param ah a {@code struct ibv_ah}
     */
    public static int ahHandle(long ah) {
        return NativeMemory.getInt(ah + AH_HANDLE);
    }
}
