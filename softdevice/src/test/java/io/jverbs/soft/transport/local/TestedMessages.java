package io.jverbs.soft.transport.local;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.RecordingPort;
import io.jverbs.soft.transport.SoftSrq;
import java.lang.foreign.MemorySegment;

/**
 * The responder of a queue pair to which a test sends messages as a requester in the same JVM does. A message is a
 * letter; by default its PSN is the expected one:
 *
 * <pre>
 * O  a SEND of one packet, 20 bytes       L  of three packets, 522 bytes     G  of five packets, longer than a receive
 * I  a SEND with immediate data           V  a SEND with an rkey that is not valid
 * o  a WRITE of one packet                l  of three packets                z  of 0 bytes, without a valid rkey
 * j  a WRITE with immediate data          i  of three packets
 * R  a READ of three packets              Z  of 0 bytes, without a valid rkey
 * A  a fetch and add of 1                 Q  the same at an address that is not aligned
 * m  a SEND of two packets of 512 bytes   n  a SEND of 300 bytes in one packet, from a sender with path MTU 512
 * +1 after a letter: its PSN is ahead of the expected one by 1       -1  its PSN is behind by 1
 * /2 after a letter: the first two packets are acknowledged, and the others are sent again
 * </pre>
 */
final class TestedMessages {
    static final int MTU = 256;
    /** The number of bytes that a receive request holds. */
    static final int ROOM = 4 * MTU;
    static final int ALL_REMOTE = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    private static final int LONG = 2 * MTU + 10;
    private static final int PEER_QPN = 9;

    final BareDevice device = BareDevice.withoutWire();
    final BareQueuePair pair;
    /** The memory that the peer accesses. */
    final MemorySegment target = BareDevice.memory(ROOM);
    private final MemorySegment source = BareDevice.memory(2 * ROOM);
    private final MemorySegment inbox = BareDevice.memory(BareQueuePair.SLOTS * ROOM);
    private final SoftMr inboxRegion;
    private final SoftMr targetRegion;
    private final Message message = new Message(1);
    private int receives;

    /**
     * Makes a queue pair in RTS.
     *
     * @param firstPsn the PSN expected first
     * @param access the access flags of the queue pair
     * @param regionAccess those of its memory, with which LOCAL_WRITE is granted
     * @param receiveAccess those of the memory of receive requests
     */
    TestedMessages(QpType type, int firstPsn, int access, int regionAccess, int receiveAccess) {
        this(type, firstPsn, access, regionAccess, receiveAccess, false);
    }

    /** Makes a queue pair as above, with a shared receive queue or without one. */
    TestedMessages(QpType type, int firstPsn, int access, int regionAccess, int receiveAccess, boolean shared) {
        SoftSrq srq = shared ? new SoftSrq(device.deferred, device.domain, BareQueuePair.SLOTS, 1, 0, null) : null;
        pair = device.create(device.service(type), 5, srq);
        inboxRegion = device.register(inbox, receiveAccess);
        targetRegion = device.register(target, regionAccess | Access.LOCAL_WRITE);
        source.fill((byte) 's');
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().accessFlags = access;
        pair.qp.settings().maxDestRdAtomic = 1;
        pair.qp.settings().minRnrTimer = 7;
        pair.connect(BareDevice.PEER, PEER_QPN, 0, firstPsn);
        message.transport = pair.qp.parts().service().wireTransport();
        message.pkey = RecordingPort.PKEY;
        message.sourceGidHigh = BareDevice.PEER.high();
        message.sourceGidLow = BareDevice.PEER.low();
        message.destinationGidHigh = BareDevice.GID.high();
        message.destinationGidLow = BareDevice.GID.low();
    }

    /** Posts a receive request, whose wr_id is its number, from 1. */
    void postReceive() {
        long at = inbox.address() + (long) receives * ROOM;
        pair.postReceive(++receives, inboxRegion, at, ROOM);
    }

    int expectedPsn() {
        int[] psn = new int[1];
        pair.locked(() -> psn[0] = pair.qp.responder().expectedPsn());
        return psn[0];
    }

    private static int opcode(char letter) {
        return switch (letter) {
            case 'I' -> WrOpcodeCode.SEND_WITH_IMM;
            case 'V' -> WrOpcodeCode.SEND_WITH_INV;
            case 'o', 'l', 'z' -> WrOpcodeCode.RDMA_WRITE;
            case 'j', 'i' -> WrOpcodeCode.RDMA_WRITE_WITH_IMM;
            case 'R', 'Z' -> WrOpcodeCode.RDMA_READ;
            case 'A', 'Q' -> WrOpcodeCode.FETCH_AND_ADD;
            default -> WrOpcodeCode.SEND;
        };
    }

    private static int length(char letter) {
        return switch (letter) {
            case 'L', 'l', 'i', 'R' -> LONG;
            case 'G' -> ROOM + 10;
            case 'z', 'Z' -> 0;
            case 'A', 'Q' -> Long.BYTES;
            case 'm' -> 4 * MTU;
            case 'n' -> 300;
            default -> 20;
        };
    }

    /** Lets a message arrive that is sent by the peer; returns it with the response. */
    Message deliver(String step) {
        return deliver(step, PEER_QPN);
    }

    /** Lets a message arrive that is sent by a queue pair; returns it with the response. */
    Message deliver(String step, int sourceQpn) {
        char letter = step.charAt(0);
        int acknowledged = step.contains("/") ? step.charAt(2) - '0' : 0;
        int shift = step.length() == 1 || acknowledged != 0 ? 0 : Integer.parseInt(step.substring(1));
        boolean garbage = letter == 'z' || letter == 'Z';
        message.sourceQpn = sourceQpn;
        message.opcode = opcode(letter);
        message.length = length(letter);
        message.mtu = letter == 'm' || letter == 'n' ? 2 * MTU : MTU;
        message.packets = Message.packets(message.length, message.mtu) - acknowledged;
        message.offset = (long) acknowledged * message.mtu;
        message.psn = Psns.add(expectedPsn(), shift);
        message.immediate = letter == 'V' ? ~targetRegion.rkey() : 7;
        message.remoteAddress = garbage ? 1 : target.address() + (letter == 'Q' ? 1 : 0);
        message.rkey = garbage ? 0 : targetRegion.rkey();
        message.compareAdd = 1;
        message.data.set(source, 0, message.length);
        message.dataValid = true;
        message.reply = Message.NO_REPLY;
        pair.qp.responder().receive(message);
        device.deferred.run();
        return message;
    }

    /** The number of bytes of the target that were written. */
    int written() {
        int written = 0;
        for (int i = 0; i < ROOM; i++) {
            written += target.get(JAVA_BYTE, i) == 0 ? 0 : 1;
        }
        return written;
    }
}
