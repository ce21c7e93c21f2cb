package io.jverbs.soft.transport.ud;

import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Grh;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The responder of datagrams: stores the GRH area and the payload in the memory of a receive request, or drops the
 * datagram. Guarded by the responder's lock.
 */
final class UdResponder extends ResponderProtocol {
    private static final int HOP_LIMIT = 64;
    private static final int RECV = WcOpcode.RECV.code();

    private final SoftQp qp;
    private final ReceiveSide receives;
    private final MemorySegment header = Arena.ofAuto().allocate(Grh.BYTES, Long.BYTES);
    private final TrafficCounter received = new TrafficCounter();
    private final SgeList headerList = new SgeList(1);
    /** The message of a datagram from the wire. */
    private final Message fromWire = new Message(1);

    UdResponder(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
        headerList.set(header, 0, Grh.BYTES);
    }

    @Override
    public int expectedPsn() {
        return 0;
    }

    @Override
    public void expectPsn(int psn) {}

    @Override
    public void clear() {}

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (!WireOpcode.isKnown(packet.opcode())) {
            qp.count(Counter.MALFORMED);
            return;
        }
        Message message = fromWire;
        boolean immediate = WireOpcode.hasImmediate(packet.opcode());
        message.opcode = immediate ? WrOpcodeCode.SEND_WITH_IMM : WrOpcodeCode.SEND;
        message.immediate = Words.bigEndian(packet.immediate());
        message.solicited = packet.solicited();
        message.qkey = packet.qkey();
        message.sourceQpn = packet.sourceQpn();
        message.sourceGidHigh = addresses.sourceHigh();
        message.sourceGidLow = addresses.sourceLow();
        message.destinationGidHigh = addresses.destinationHigh();
        message.destinationGidLow = addresses.destinationLow();
        // the wire does not report these fields of a received packet
        message.trafficClass = 0;
        message.flowLabel = 0;
        message.hopLimit = HOP_LIMIT;
        message.view(packet);
        execute(message);
    }

    @Override
    public Traffic traffic() {
        return received.received();
    }

    @Override
    public void execute(Message message) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (message.qkey != qp.settings().qkey) {
            qp.count(Counter.BAD_QKEY);
            return;
        }
        long length = message.length + Grh.BYTES;
        if (!receives.load()) {
            qp.count(Counter.NO_RECEIVE);
            return;
        }
        if (length > receives.room()) {
            qp.count(Counter.NO_RECEIVE);
            receives.dropTooLong();
            return;
        }
        Grh.write(header, message);
        if (!receives.resolve(length) || !receives.place(message, headerList, 0, Grh.BYTES)
                || !receives.place(message, message.data, Grh.BYTES, message.length)) {
            qp.count(Counter.NO_RECEIVE);
            qp.fail(0);
            receives.completeInError(WcStatusCode.LOC_PROT_ERR);
            return;
        }
        if (message.dataValid) {
            received.packet(message.length);
            boolean withImmediate = message.opcode == WrOpcodeCode.SEND_WITH_IMM;
            receives.complete(RECV, length, withImmediate ? message.immediate : 0, message.sourceQpn,
                    WcFlags.GRH | (withImmediate ? WcFlags.WITH_IMM : 0), message.solicited);
        }
    }
}
