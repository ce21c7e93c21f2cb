package io.jverbs.ibverbs;

import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpCapabilities;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpTransitions;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.ffm.QueuePairCalls;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ffm.ibverbs.ibv_ece;
import io.jverbs.ffm.ibverbs.ibv_qp_attr;
import io.jverbs.ffm.ibverbs.ibv_qp_init_attr;
import io.jverbs.ffm.ibverbs.ibv_qp_init_attr_ex;
import io.jverbs.ibverbs.shared.AhStruct;
import io.jverbs.ibverbs.shared.EceStruct;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.ibverbs.shared.QpStruct;
import io.jverbs.spi.ContextOps.EventsReported;
import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The queue pairs of a context; see ibv_create_qp(3), ibv_modify_qp(3), ibv_query_qp(3) and ibv_attach_mcast(3).
 * It has no mutable state; any thread may call any method.
 */
final class QueuePairs {
    private static final int ALL_ATTRIBUTES = (1 << QpAttribute.values().length) - 1;
    /** The vendor ID has the 24 bits of an IEEE OUI. */
    private static final int VENDOR_ID_MASK = 0xFF_FFFF;

    private final NativeContext context;

    QueuePairs(NativeContext context) {
        this.context = context;
    }

    NativeHandle.Qp create(Handle.Pd pd, QpInitAttributes init, Object owner) {
        if (init.type() == QpType.UNKNOWN) {
            throw new VerbsException("create_qp", Errno.EOPNOTSUPP,
                    "queue pair type " + init.rawType() + " is not one of RC 2, UC 3, UD 4");
        }
        if (init.sendCq() == null || init.recvCq() == null) {
            throw new VerbsException("create_qp", Errno.EINVAL,
                    "sendCq and recvCq are required, but one of them is null");
        }
        // begins with the members of struct ibv_qp_init_attr
        MemorySegment attr = ibv_qp_init_attr_ex.allocate(NativeHandle.arenaForCreation());
        ibv_qp_init_attr.send_cq(attr, pointer(init.sendCq().handle()));
        ibv_qp_init_attr.recv_cq(attr, pointer(init.recvCq().handle()));
        ibv_qp_init_attr.srq(attr, init.srq() == null ? MemorySegment.NULL : pointer(init.srq().handle()));
        QpStruct.write(init.capabilities(), ibv_qp_init_attr.cap(attr));
        ibv_qp_init_attr.qp_type(attr, init.rawType());
        ibv_qp_init_attr.sq_sig_all(attr, init.signalAll() ? 1 : 0);
        ibv_qp_init_attr_ex.pd(attr, pointer(pd));
        int mask = IbvConstants.IBV_QP_INIT_ATTR_PD();
        if (init.blockSelfMulticastLoopback()) {
            ibv_qp_init_attr_ex.create_flags(attr, IbvConstants.IBV_QP_CREATE_BLOCK_SELF_MCAST_LB());
            mask |= IbvConstants.IBV_QP_INIT_ATTR_CREATE_FLAGS();
        }
        ibv_qp_init_attr_ex.comp_mask(attr, mask);
        return NativeHandle.create(() -> QueuePairCalls.createQpEx(context.address(), attr), qp -> {
            Failure.pointer("create_qp", qp, "the device refused " + init);
            QpCapabilities granted = QpStruct.readCapabilities(ibv_qp_init_attr.cap(attr));
            NativeHandle.Qp handle = new NativeHandle.Qp(qp, owner, init.type(), granted);
            context.asyncEvents().add(handle);
            return handle;
        }, QueuePairCalls::destroyQp);
    }

    private static MemorySegment pointer(Handle handle) {
        return MemorySegment.ofAddress(NativeHandle.address(handle));
    }

    /**
     * Checks the ranges of the values, because the fields of the struct would truncate them. The driver decides whether
     * the transition is legal.
     */
    void modify(Handle.Qp handle, QpAttributes attributes) {
        NativeHandle.Qp qp = (NativeHandle.Qp) handle;
        QpType type = qp.type();
        int port = attributes.present(QpAttribute.PORT) ? attributes.port() : qp.port();
        QpTransitions.checkRanges(type, attributes, context.queryDevice(),
                context.queryPort(port >= 1 && port <= context.queryDevice().portCount() ? port : 1));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_qp_attr.allocate(arena);
            QpStruct.write(attributes, attr);
            int errno = QueuePairCalls.modifyQp(qp.nativeAddress(), attr, attributes.mask());
            if (errno != 0) {
                throw diagnosis(qp, attributes, errno);
            }
        }
        boolean reset = attributes.present(QpAttribute.STATE) && attributes.state() == QpState.RESET;
        qp.modified(reset ? 0 : qp.attributesSet() | attributes.mask(), port);
    }

    /**
     * Explains why the driver refused a modify: with the rule of the transition table that the attributes violate, if
     * there is one. The exception has the errno of the driver.
     */
    private VerbsException diagnosis(NativeHandle.Qp qp, QpAttributes attributes, int errno) {
        QpState current;
        try {
            current = query(qp).state();
        } catch (VerbsException e) {
            return Failure.of("modify_qp", errno, "the device refused " + attributes);
        }
        try {
            QpTransitions.check(qp.type(), current, attributes);
        } catch (VerbsException e) {
            if (e.errno() == errno) {
                return e;
            }
            return new VerbsException("modify_qp", errno, e.getMessage());
        }
        QpState target = QpTransitions.target(current, attributes);
        return Failure.of("modify_qp", errno, current + " -> " + target + " with " + attributes
                + " is legal, but the device refused it");
    }

    QpAttributes query(Handle.Qp handle) {
        NativeHandle.Qp qp = (NativeHandle.Qp) handle;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_qp_attr.allocate(arena);
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            Failure.check("query_qp", QueuePairCalls.queryQp(qp.nativeAddress(), attr, ALL_ATTRIBUTES, init));
            return QpStruct.readQuery(attr, qp.attributesSet());
        }
    }

    Ece queryEce(Handle.Qp handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            checkEce("query_ece", QueuePairCalls.queryEce(((NativeHandle.Qp) handle).nativeAddress(), struct));
            return new Ece(ibv_ece.vendor_id(struct) & VENDOR_ID_MASK, ibv_ece.options(struct));
        }
    }

    void setEce(Handle.Qp handle, Ece ece) {
        try (Arena arena = Arena.ofConfined()) {
            checkEce("set_ece", QueuePairCalls.setEce(((NativeHandle.Qp) handle).nativeAddress(),
                    EceStruct.write(ece.vendorId(), ece.options(), arena)));
        }
    }

    private static void checkEce(String operation, int errno) {
        Failure.check(operation, errno, errno == Errno.EOPNOTSUPP.code()
                ? "the device has no options of ECE"
                : "the device refused the options of ECE");
    }

    EventsReported destroy(Handle.Qp handle) {
        NativeHandle.Qp qp = (NativeHandle.Qp) handle;
        int errno = NativeHandle.destroy(qp, QueuePairCalls::destroyQp);
        Failure.check("destroy_qp", errno, errno == Errno.EBUSY.code()
                ? "the queue pair is attached to a multicast group: detach it first"
                : "the device refused the operation");
        context.asyncEvents().remove(qp);
        return new EventsReported(0, qp.asyncEvents());
    }

    void attach(Handle.Qp qp, Gid group, int lid) {
        multicast("attach_mcast", (NativeHandle.Qp) qp, group, lid);
    }

    void detach(Handle.Qp qp, Gid group, int lid) {
        multicast("detach_mcast", (NativeHandle.Qp) qp, group, lid);
    }

    private static void multicast(String operation, NativeHandle.Qp qp, Gid group, int lid) {
        if (!qp.datagram() || !group.isMulticast() || lid < 0 || lid > 0xFFFF) {
            throw new VerbsException(operation, Errno.EINVAL,
                    !qp.datagram()
                            ? "only UD queue pairs can join multicast groups"
                            : !group.isMulticast()
                                    ? group + " is not a multicast GID"
                                    : "lid " + lid + " is outside 0..65535");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(Gid.BYTES, Long.BYTES);
            AhStruct.gid(group, gid);
            int errno = operation.equals("attach_mcast")
                    ? QueuePairCalls.attachMcast(qp.nativeAddress(), gid, lid)
                    : QueuePairCalls.detachMcast(qp.nativeAddress(), gid, lid);
            if (errno != 0) {
                throw Failure.of(operation, errno, "the device refused group " + group);
            }
        }
    }
}
