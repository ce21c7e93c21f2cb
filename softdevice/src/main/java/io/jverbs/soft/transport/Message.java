package io.jverbs.soft.transport;

import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;

/**
 * A request on its way inside the JVM: what RoCEv2 puts into the headers of its packets, with the sender's memory as payload,
 * and the answer. One object a queue pair, used again for each request under the requester's lock.
 */
public final class Message {
    /** Nothing came back: the request was dropped. */
    static final int NO_REPLY = 0;
    /** Acknowledged up to {@link #replyPsn}. */
    static final int ACK = 1;
    /** No receive request; try {@link #replyPsn} again after {@link #rnrTimer}. */
    static final int RNR_NAK = 2;
    /** A request before this one is missing. */
    static final int NAK_SEQUENCE = Aeth.NAK_SEQUENCE;
    /** Invalid request. */
    static final int NAK_INVALID = Aeth.NAK_INVALID_REQUEST;
    /** Remote access error. */
    static final int NAK_ACCESS = Aeth.NAK_ACCESS;
    /** Remote operational error. */
    static final int NAK_OPERATION = Aeth.NAK_OPERATION;

    /** The transport: the number of a {@link io.jverbs.QpType}. */
    int transport;
    int opcode;
    /** The first packet's PSN and how many packets the message is. */
    int psn;
    int packets;
    /** The sender's path MTU in bytes. */
    int mtu;
    int pkey;
    int qkey;
    int sourceQpn;
    long sourceGidHigh;
    long sourceGidLow;
    long destinationGidHigh;
    long destinationGidLow;
    int trafficClass;
    int hopLimit;
    int flowLabel;
    boolean solicited;
    /** Immediate data or key to invalidate as it stands in the work request. */
    int immediate;
    long remoteAddress;
    int rkey;
    long compareAdd;
    long swap;
    /** The message's whole length. */
    long length;
    /** Where this part of the message begins: not 0 when the packets before were acknowledged and are not sent again. */
    long offset;
    /** The payload of a SEND or WRITE, the destination of a READ. */
    final SgeList data;
    /** Whether {@link #data} may be used; the responder of a READ checks its own side first. */
    boolean dataValid;

    int reply;
    int replyPsn;
    int rnrTimer;
    /** The former value that an atomic found. */
    long original;

    Message(int maxSge) {
        data = new SgeList(maxSge);
    }

    /** Takes the payload of a packet for its data. */
    void view(PacketView packet) {
        dataValid = true;
        length = packet.payloadLength();
        data.clear();
        if (length != 0) {
            data.set(packet.packet(), packet.payloadOffset(), length);
        }
    }

    /** Whether this part of the message starts it. */
    boolean isFirst() {
        return offset == 0;
    }

    /** How many packets a message of a length takes: an empty one takes one. */
    static int packets(long length, int mtu) {
        return length <= mtu ? 1 : (int) ((length + mtu - 1) / mtu);
    }
}
