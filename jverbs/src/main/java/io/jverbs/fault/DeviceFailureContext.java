package io.jverbs.fault;

import io.jverbs.AhAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqModification;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A context whose device may fail permanently. From then on every verb fails with EIO, except for those that release
 * something. Thread-safe.
 */
abstract class DeviceFailureContext extends ForwardingContext {
    /** Why verbs fail, for messages. */
    static final String DEVICE_FAILED = "fault injection raised DEVICE_FATAL: the device has failed";

    private volatile boolean deviceFailed;

    DeviceFailureContext(ContextOps inner) {
        super(inner);
    }

    /** Whether the device of this context has failed permanently. */
    final boolean hasDeviceFailed() {
        return deviceFailed;
    }

    /** Makes the device fail permanently. */
    final void failDevice() {
        deviceFailed = true;
    }

    /** Throws EIO if the device has failed. */
    final void checkDevice(String operation) {
        if (deviceFailed) {
            throw new VerbsException(operation, Errno.EIO, DEVICE_FAILED);
        }
    }

    @Override
    public CmChannelOps createCmChannel() {
        checkDevice("create_event_channel");
        return inner().createCmChannel();
    }

    @Override
    public DeviceAttributes queryDevice() {
        checkDevice("query_device");
        return inner().queryDevice();
    }

    @Override
    public PortAttributes queryPort(int port) {
        checkDevice("query_port");
        return inner().queryPort(port);
    }

    @Override
    public Gid queryGid(int port, int index) {
        checkDevice("query_gid");
        return inner().queryGid(port, index);
    }

    @Override
    public GidEntry queryGidEntry(int port, int index) {
        checkDevice("query_gid_ex");
        return inner().queryGidEntry(port, index);
    }

    @Override
    public List<GidEntry> queryGidTable() {
        checkDevice("query_gid_table");
        return inner().queryGidTable();
    }

    @Override
    public int queryPkey(int port, int index) {
        checkDevice("query_pkey");
        return inner().queryPkey(port, index);
    }

    @Override
    public Handle.Pd allocatePd() {
        checkDevice("alloc_pd");
        return inner().allocatePd();
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        checkDevice("rereg_mr");
        inner().reregisterMemory(mr, flags, segment, iova, pd, access);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        checkDevice("alloc_mw");
        return inner().allocateMw(pd, type);
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        checkDevice("query_qp");
        return inner().queryQp(qp);
    }

    @Override
    public QpState queryQpState(Handle.Qp qp) {
        checkDevice("query_qp");
        return inner().queryQpState(qp);
    }

    @Override
    public void attachMulticast(Handle.Qp qp, Gid group, int lid) {
        checkDevice("attach_mcast");
        inner().attachMulticast(qp, group, lid);
    }

    @Override
    public void modifySrq(Handle.Srq srq, SrqModification change) {
        checkDevice("modify_srq");
        inner().modifySrq(srq, change);
    }

    @Override
    public SrqAttributes querySrq(Handle.Srq srq) {
        checkDevice("query_srq");
        return inner().querySrq(srq);
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        checkDevice("create_ah");
        return inner().createAh(pd, attributes);
    }
}
