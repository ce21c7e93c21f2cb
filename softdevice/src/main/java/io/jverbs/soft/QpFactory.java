package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.QpCapabilities;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.Network;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;

/** Makes queue pairs and enters them into the device's table. */
final class QpFactory {
    private static final String OPERATION = "create_qp";

    private final SoftDevice device;
    private final SoftQp.Surroundings around;

    QpFactory(SoftDevice device) {
        this.device = device;
        boolean apart = device.wire() != null && device.wire().isOnlyWay();
        this.around = new SoftQp.Surroundings(device.regions(), device.port(),
                apart ? Network.EMPTY : device.network(), device.network().timers(), device.network().agenda(),
                Limits.MAX_MESSAGE, device.wire(), device.numbering()::firstPsn);
    }

    SoftQp create(Domain domain, QpInitAttributes attributes, Owner owner) {
        QpType type = attributes.type();
        if (type != QpType.RC && type != QpType.UC && type != QpType.UD) {
            throw new VerbsException(OPERATION, Errno.EOPNOTSUPP,
                    "type " + attributes.rawType() + " is none of RC 2, UC 3, UD 4");
        }
        SoftSrq srq = attributes.srq() == null ? null : (SoftSrq) attributes.srq().handle();
        SoftQp.Parts parts = new SoftQp.Parts(type, granted(attributes, srq != null), attributes.signalAll(), domain,
                (CompletionQueueCore) attributes.sendCq().handle(), (CompletionQueueCore) attributes.recvCq().handle(),
                srq);
        device.usage().claim(Usage.Kind.QP);
        SoftQp qp = device.queuePairs().add(device.qpNumbers()::next,
                number -> new SoftQp(number, parts, around, owner));
        if (qp == null) {
            device.usage().release(Usage.Kind.QP);
            throw new VerbsException(OPERATION, Errno.ENOMEM, "no free queue pair number");
        }
        domain.addRequester(qp.requester());
        domain.addResponder(qp.responder().lock());
        if (srq != null) {
            srq.domain().addResponder(qp.responder().lock());
            // others post for it; for a queue of its own, and for sends, the first post says it
            parts.recvCq().claim(qp.responder().lock());
        }
        return qp;
    }

    private static QpCapabilities granted(QpInitAttributes asked, boolean shared) {
        int maxSendWr = Limits.check(OPERATION, "maxSendWr", asked.maxSendWr(), 0, Limits.MAX_WR);
        int maxSendSge = Limits.check(OPERATION, "maxSendSge", asked.maxSendSge(), 0, Limits.MAX_SGE);
        int maxInline = Limits.check(OPERATION, "maxInlineData", asked.maxInlineData(), 0, Limits.MAX_INLINE);
        if (shared) {
            return new QpCapabilities(Limits.capacity(maxSendWr), 0, maxSendSge, 0, maxInline);
        }
        int maxRecvWr = Limits.check(OPERATION, "maxRecvWr", asked.maxRecvWr(), 0, Limits.MAX_WR);
        int maxRecvSge = Limits.check(OPERATION, "maxRecvSge", asked.maxRecvSge(), 0, Limits.MAX_SGE);
        return new QpCapabilities(Limits.capacity(maxSendWr), Limits.capacity(maxRecvWr), maxSendSge, maxRecvSge,
                maxInline);
    }

    void destroyed(SoftQp qp) {
        device.port().retire(qp);
        Domain domain = qp.parts().domain();
        domain.remove(qp.requester());
        domain.remove(qp.responder().lock());
        qp.parts().sendCq().leave(qp.requester());
        qp.parts().recvCq().leave(qp.responder().lock());
        if (qp.parts().srq() != null) {
            qp.parts().srq().domain().remove(qp.responder().lock());
        }
        device.usage().release(Usage.Kind.QP);
    }
}
