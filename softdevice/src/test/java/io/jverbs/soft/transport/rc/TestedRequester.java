package io.jverbs.soft.transport.rc;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.IncomingPacket;
import io.jverbs.soft.transport.RecordedService;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;

/** The requester of a reliable connection over the wire, in RTS, with memory for its requests. */
final class TestedRequester {
    static final int MTU = 256;
    private static final int QPN = 5;
    private static final int PEER_QPN = 9;
    private static final int MAX_RD_ATOMIC = 4;

    final BareDevice device = BareDevice.withWire();
    final RecordedService service = new RecordedService(device.service(QpType.RC));
    final BareQueuePair pair = device.create(service, QPN, null);
    /** The packet that arrives next. */
    final IncomingPacket packet = new IncomingPacket(QPN);
    private final MemorySegment memory;
    private final SoftMr region;

    /**
     * Connects a new queue pair with a peer.
     *
     * @param retries the retry count and the RNR retry count
     * @param timeout the code of the ACK timeout
     * @param maxPackets the maximum number of packets of a message
     */
    TestedRequester(int retries, int timeout, int maxPackets) {
        memory = BareDevice.memory((long) maxPackets * MTU);
        region = device.register(memory, Access.LOCAL_WRITE);
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().maxRdAtomic = MAX_RD_ATOMIC;
        pair.qp.settings().retryCount = retries;
        pair.qp.settings().rnrRetry = retries;
        pair.qp.settings().timeout = timeout;
        pair.connect(BareDevice.PEER, PEER_QPN, 0, 0);
    }

    /** Posts a request whose message has a number of packets. */
    void post(WrOpcode opcode, int packets) {
        pair.post(SendWorkRequest.create(1).opcode(opcode).sge(0, memory.address(), packets * MTU, region.lkey())
                .remote(0, 1));
    }

    /** Lets an ACK or a NAK arrive. */
    void acknowledge(int psn, int syndrome, int msn) {
        packet.begin(WireOpcode.ACKNOWLEDGE, 0, psn, 0).aeth(syndrome, msn);
        pair.receive(packet.decoded());
    }
}
