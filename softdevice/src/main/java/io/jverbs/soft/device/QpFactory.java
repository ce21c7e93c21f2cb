package io.jverbs.soft.device;

import io.jverbs.Errno;
import io.jverbs.QpCapabilities;
import io.jverbs.QpInitAttributes;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.ServiceTypes;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.DeadlineScan;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;

/** Creates queue pairs, enters them into the device's table, and releases them; see ibv_create_qp(3). */
final class QpFactory {
    private static final String OPERATION = "create_qp";

    private final DeviceCore device;
    private final ServiceTypes services;
    private final SoftQp.Environment environment;

    QpFactory(DeviceCore device) {
        this.device = device;
        Fabric fabric = device.fabric();
        this.services = fabric.services();
        this.environment = new SoftQp.Environment(device.keyTable(), device.port(), fabric.peers(),
                device.network().timers(), new DeadlineScan(device.network().timers()),
                device.network().deferredQueue(), Limits.MAX_MESSAGE, fabric.wire(), device.numbers()::firstPsn);
    }

    SoftQp create(SoftPd domain, QpInitAttributes attributes, EventForwarder owner) {
        ServiceType service = services.of(attributes.type()).orElseThrow(() -> new VerbsException(OPERATION,
                Errno.EOPNOTSUPP,
                "type " + attributes.rawType() + " is not supported; allowed are " + services.names()));
        SoftSrq srq = attributes.srq() == null ? null : (SoftSrq) attributes.srq().handle();
        SoftQp.Parts parts = new SoftQp.Parts(service, granted(attributes, srq != null),
                attributes.signalAll(), attributes.blockSelfMulticastLoopback(), domain,
                (CompletionQueueCore) attributes.sendCq().handle(), (CompletionQueueCore) attributes.recvCq().handle(),
                srq);
        SoftQp qp = device.usage().claim(Usage.Kind.QP, () -> add(parts, owner));
        if (srq != null) {
            try {
                // receives come from the SRQ; other queues claim their CQ at the first post
                parts.recvCq().registerProducer(qp.responder().lock());
            } catch (RuntimeException | Error e) {
                destroyed(qp);
                throw e;
            }
        }
        return qp;
    }

    private SoftQp add(SoftQp.Parts parts, EventForwarder owner) {
        SoftQp qp = device.queuePairs().add(device.qpNumbers()::next,
                number -> new SoftQp(number, parts, environment, owner));
        if (qp == null) {
            throw new VerbsException(OPERATION, Errno.ENOMEM, "no queue pair number is free");
        }
        return qp;
    }

    private static QpCapabilities granted(QpInitAttributes requested, boolean shared) {
        int maxSendWr = Limits.check(OPERATION, "maxSendWr", requested.maxSendWr(), 0, Limits.MAX_WR);
        int maxSendSge = Limits.check(OPERATION, "maxSendSge", requested.maxSendSge(), 0, Limits.MAX_SGE);
        int maxInline = Limits.check(OPERATION, "maxInlineData", requested.maxInlineData(), 0, Limits.MAX_INLINE);
        if (shared) {
            return new QpCapabilities(Limits.capacity(maxSendWr), 0, maxSendSge, 0, maxInline);
        }
        int maxRecvWr = Limits.check(OPERATION, "maxRecvWr", requested.maxRecvWr(), 0, Limits.MAX_WR);
        int maxRecvSge = Limits.check(OPERATION, "maxRecvSge", requested.maxRecvSge(), 0, Limits.MAX_SGE);
        return new QpCapabilities(Limits.capacity(maxSendWr), Limits.capacity(maxRecvWr), maxSendSge, maxRecvSge,
                maxInline);
    }

    /** Releases what {@link #create} has claimed for a queue pair. */
    void destroyed(SoftQp qp) {
        device.port().retire(qp);
        qp.requesterKeys().user().leave();
        qp.responderKeys().user().leave();
        qp.parts().sendCq().unregisterProducer(qp.requester());
        qp.parts().recvCq().unregisterProducer(qp.responder().lock());
        device.usage().release(Usage.Kind.QP);
    }
}
