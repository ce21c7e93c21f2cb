package io.jverbs.spi;

import io.jverbs.AhAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Ece;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MwBind;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A context that forwards every operation to another context: the base class of the contexts of a {@link DeviceLayer}.
 * It has no state of its own and checks nothing.
 */
public abstract class ForwardingContext implements ContextOps {
    private final ContextOps inner;

    /**
     * Makes a context that forwards to another one.
     *
     * @param inner the context to which operations are forwarded
     */
    protected ForwardingContext(ContextOps inner) {
        this.inner = inner;
    }

    /** {@return the context to which operations are forwarded} */
    protected final ContextOps inner() {
        return inner;
    }

    @Override
    public DataPath dataPath() {
        return inner.dataPath();
    }

    @Override
    public DeviceAttributes queryDevice() {
        return inner.queryDevice();
    }

    @Override
    public PortAttributes queryPort(int port) {
        return inner.queryPort(port);
    }

    @Override
    public Gid queryGid(int port, int index) {
        return inner.queryGid(port, index);
    }

    @Override
    public GidEntry queryGidEntry(int port, int index) {
        return inner.queryGidEntry(port, index);
    }

    @Override
    public List<GidEntry> queryGidTable() {
        return inner.queryGidTable();
    }

    @Override
    public int queryPkey(int port, int index) {
        return inner.queryPkey(port, index);
    }

    @Override
    public Handle.Pd allocatePd() {
        return inner.allocatePd();
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        inner.deallocatePd(pd);
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        return inner.registerMemory(pd, segment, access, iova);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        inner.reregisterMemory(mr, flags, segment, iova, pd, access);
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        inner.deregisterMemory(mr);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        return inner.allocateMw(pd, type);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        inner.deallocateMw(mw);
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        inner.bindMw(qp, mw, wrId, sendFlags, bind);
    }

    @Override
    public Handle.Channel createChannel() {
        return inner.createChannel();
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        inner.destroyChannel(channel);
    }

    @Override
    public Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException {
        return inner.awaitEvent(channel, nanos);
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        return inner.createCq(cqe, channel, completionVector, owner);
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        inner.resizeCq(cq, cqe);
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        return inner.destroyCq(cq);
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        return inner.createQp(pd, attributes, owner);
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        inner.modifyQp(qp, attributes);
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        return inner.queryQp(qp);
    }

    @Override
    public QpState queryQpState(Handle.Qp qp) {
        return inner.queryQpState(qp);
    }

    @Override
    public Ece queryEce(Handle.Qp qp) {
        return inner.queryEce(qp);
    }

    @Override
    public void setEce(Handle.Qp qp, Ece ece) {
        inner.setEce(qp, ece);
    }

    @Override
    public EventsReported destroyQp(Handle.Qp qp) {
        return inner.destroyQp(qp);
    }

    @Override
    public void attachMulticast(Handle.Qp qp, Gid group, int lid) {
        inner.attachMulticast(qp, group, lid);
    }

    @Override
    public void detachMulticast(Handle.Qp qp, Gid group, int lid) {
        inner.detachMulticast(qp, group, lid);
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        return inner.createSrq(pd, attributes, owner);
    }

    @Override
    public void modifySrq(Handle.Srq srq, SrqModification change) {
        inner.modifySrq(srq, change);
    }

    @Override
    public SrqAttributes querySrq(Handle.Srq srq) {
        return inner.querySrq(srq);
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        return inner.destroySrq(srq);
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        return inner.createAh(pd, attributes);
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        inner.destroyAh(ah);
    }

    @Override
    public CmChannelOps createCmChannel() {
        return inner.createCmChannel();
    }

    @Override
    public Async awaitAsync(long nanos) throws InterruptedException {
        return inner.awaitAsync(nanos);
    }

    @Override
    public void wake(Handle.Channel channel) {
        inner.wake(channel);
    }

    @Override
    public void close() {
        inner.close();
    }
}
