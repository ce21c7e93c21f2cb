package io.jverbs.fault;

import io.jverbs.AhAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqModification;
import io.jverbs.VerbsException;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A context whose device may fail for good: then every verb fails with EIO, but for those that give something back. */
abstract class MortalContext extends ForwardingContext {
    private volatile boolean dead;

    MortalContext(ContextOps inner) {
        super(inner);
    }

    /** Whether the device failed for good, as far as this context is concerned. */
    final boolean isDead() {
        return dead;
    }

    final void die() {
        dead = true;
    }

    final void checkAlive(String operation) {
        if (dead) {
            throw new VerbsException(operation, Errno.EIO, "the device failed, as a fault rule wanted");
        }
    }

    @Override
    public DeviceAttributes queryDevice() {
        checkAlive("query_device");
        return inner().queryDevice();
    }

    @Override
    public PortAttributes queryPort(int port) {
        checkAlive("query_port");
        return inner().queryPort(port);
    }

    @Override
    public Gid queryGid(int port, int index) {
        checkAlive("query_gid");
        return inner().queryGid(port, index);
    }

    @Override
    public GidEntry queryGidEntry(int port, int index) {
        checkAlive("query_gid_ex");
        return inner().queryGidEntry(port, index);
    }

    @Override
    public List<GidEntry> queryGidTable() {
        checkAlive("query_gid_table");
        return inner().queryGidTable();
    }

    @Override
    public int queryPkey(int port, int index) {
        checkAlive("query_pkey");
        return inner().queryPkey(port, index);
    }

    @Override
    public Handle.Pd allocatePd() {
        checkAlive("alloc_pd");
        return inner().allocatePd();
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        checkAlive("rereg_mr");
        inner().reregisterMemory(mr, flags, segment, iova, pd, access);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        checkAlive("alloc_mw");
        return inner().allocateMw(pd, type);
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        checkAlive("query_qp");
        return inner().queryQp(qp);
    }

    @Override
    public void attachMulticast(Handle.Qp qp, Gid group, int lid) {
        checkAlive("attach_mcast");
        inner().attachMulticast(qp, group, lid);
    }

    @Override
    public void modifySrq(Handle.Srq srq, SrqModification change) {
        checkAlive("modify_srq");
        inner().modifySrq(srq, change);
    }

    @Override
    public SrqAttributes querySrq(Handle.Srq srq) {
        checkAlive("query_srq");
        return inner().querySrq(srq);
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        checkAlive("create_ah");
        return inner().createAh(pd, attributes);
    }
}
