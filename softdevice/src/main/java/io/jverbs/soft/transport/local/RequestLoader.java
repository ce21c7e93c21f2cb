package io.jverbs.soft.transport.local;

import io.jverbs.Access;
import io.jverbs.SendFlags;
import io.jverbs.soft.memory.KeyCheck;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftAh;
import io.jverbs.soft.transport.SoftQp;

/**
 * Fills a {@link Message} from a request of the send queue and looks up the keys of its scatter/gather elements.
 * Guarded by the requester's lock.
 */
public final class RequestLoader {
    private final SoftQp qp;
    private final SendRing ring;
    private final Message message;
    private final QpSettings settings;
    private final KeyCheck keys;
    private final Port port;
    /** Whether the maximum length of a message is the port's MTU. */
    private final boolean isDatagram;
    private final long maxMessage;

    public RequestLoader(SoftQp qp, SendRing ring, Message message) {
        this.qp = qp;
        this.ring = ring;
        this.message = message;
        this.settings = qp.settings();
        this.keys = qp.requesterKeys();
        this.port = qp.environment().port();
        this.isDatagram = !qp.parts().service().isConnected();
        this.maxMessage = qp.environment().maxMessage();
        message.transport = qp.parts().service().wireTransport();
        message.sourceQpn = qp.number();
    }

    /** Takes the addresses and the GRH fields from a path. */
    public void address(SoftAh path) {
        message.sourceGidHigh = path.source().high();
        message.sourceGidLow = path.source().low();
        message.destinationGidHigh = path.destination().high();
        message.destinationGidLow = path.destination().low();
        message.trafficClass = path.trafficClass();
        message.hopLimit = path.hopLimit();
        message.flowLabel = path.flowLabel();
    }

    /** Fills the message from the request at a place of the ring; returns a completion status. */
    public int load(int at, int opcode) {
        assert qp.requester().isHeldByCurrentThread();
        int flags = ring.flags(at);
        message.opcode = opcode;
        message.immediate = ring.immediate(at);
        message.solicited = (flags & SendFlags.SOLICITED) != 0;
        message.remoteAddress = ring.remoteAddress(at);
        message.rkey = ring.rkey(at);
        message.pkey = port.pkey(settings.pkeyIndex);
        if (WrOpcodeCode.isAtomic(opcode)) {
            message.compareAdd = ring.compareAdd(at);
            message.swap = ring.swap(at);
            message.rkey = ring.atomicRkey(at);
        }
        return loadData(at, opcode, flags);
    }

    private int loadData(int at, int opcode, int flags) {
        if ((flags & SendFlags.INLINE) != 0) {
            message.length = ring.inlineLength(at);
            message.data.clear();
            if (message.length != 0) {
                message.data.set(ring.inlineMemory(), ring.inlineOffset(), message.length);
            }
            message.dataValid = true;
            return checkLength(opcode);
        }
        int count = ring.sgeCount(at);
        message.length = SgeList.length(ring.elements(), ring.firstElement(at), count);
        int status = checkLength(opcode);
        if (status != WcStatusCode.SUCCESS) {
            return status;
        }
        boolean responding = WrOpcodeCode.isReadOrAtomic(opcode);
        message.dataValid = message.data.resolve(keys, responding ? Access.LOCAL_WRITE : 0, ring.elements(),
                ring.firstElement(at), count, message.length);
        return message.dataValid || responding ? WcStatusCode.SUCCESS : WcStatusCode.LOC_PROT_ERR;
    }

    private int checkLength(int opcode) {
        long limit = isDatagram ? port.mtu() : maxMessage;
        if (message.length > limit || WrOpcodeCode.isAtomic(opcode) && message.length != Long.BYTES) {
            return WcStatusCode.LOC_LEN_ERR;
        }
        return WcStatusCode.SUCCESS;
    }
}
