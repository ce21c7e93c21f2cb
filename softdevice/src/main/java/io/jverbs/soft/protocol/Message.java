package io.jverbs.soft.protocol;

import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * A request inside the JVM, with its response: the fields of the RoCEv2 headers, and the sender's memory as payload. A
 * queue pair has one object, which is used again for each request. Guarded by the requester's lock.
 *
 * <p>
 * A responder has a message, too, as a view of the packets that it receives from the wire. Guarded by the responder's
 * lock.
 */
public final class Message {
    /** There is no response: the request was dropped. */
    public static final int NO_REPLY = 0;
    /** ACK: acknowledged up to {@link #replyPsn}. */
    public static final int ACK = 1;
    /** RNR NAK: no receive request is posted; {@link #replyPsn} is to be sent again after {@link #rnrTimer}. */
    public static final int RNR_NAK = 2;
    /** PSN sequence error NAK: a request before this one is missing. */
    public static final int NAK_PSN_SEQUENCE_ERROR = Aeth.NAK_PSN_SEQUENCE_ERROR;
    /** Invalid request NAK. */
    public static final int NAK_INVALID_REQUEST = Aeth.NAK_INVALID_REQUEST;
    /** Remote access error NAK. */
    public static final int NAK_REMOTE_ACCESS_ERROR = Aeth.NAK_REMOTE_ACCESS_ERROR;
    /** Remote operational error NAK. */
    public static final int NAK_REMOTE_OPERATIONAL_ERROR = Aeth.NAK_REMOTE_OPERATIONAL_ERROR;

    /** The transport service, see {@link WireOpcode#transport}. */
    public int transport;
    public int opcode;
    /** The PSN of the first packet. */
    public int psn;
    /** The number of packets that the message would have on the wire. */
    public int packets;
    /** The sender's path MTU in bytes. */
    public int mtu;
    public int pkey;
    public int qkey;
    public int sourceQpn;
    public long sourceGidHigh;
    public long sourceGidLow;
    public long destinationGidHigh;
    public long destinationGidLow;
    public int trafficClass;
    public int hopLimit;
    public int flowLabel;
    public boolean solicited;
    /** Immediate data, or the rkey to invalidate, in the byte order of the work request. */
    public int immediate;
    public long remoteAddress;
    public int rkey;
    public long compareAdd;
    public long swap;
    /** The length of the whole message. */
    public long length;
    /** The offset at which sending begins: not 0 if packets were acknowledged and only the others are sent again. */
    public long offset;
    /** The payload of a SEND or WRITE; the destination of a READ or atomic. */
    public final SgeList data;
    /**
     * Whether {@link #data} may be accessed. It may be false when a READ or atomic is executed, because the responder's
     * checks come first.
     */
    public boolean dataValid;
    /** What the access to {@link #data} threw that found that its memory no longer exists; null if none did. */
    private Throwable loss;

    /** The response: one of the constants of this class. */
    public int reply;
    public int replyPsn;
    /** The RNR timer code of an RNR NAK. */
    public int rnrTimer;
    /** The original value of the word that an atomic has changed. */
    public long original;

    public Message(int maxSge) {
        data = new SgeList(maxSge);
    }

    /** Sets the data to the payload of a packet. */
    public void view(PacketView packet) {
        dataValid = true;
        length = packet.payloadLength();
        data.clear();
        if (length != 0) {
            data.set(packet.packet(), packet.payloadOffset(), length);
        }
    }

    /**
     * Records that the memory of {@link #data} no longer exists. The requester logs it, because the memory belongs to
     * its end.
     *
     * @param cause what the access threw
     */
    public void loseData(Throwable cause) {
        dataValid = false;
        loss = cause;
    }

    /** Returns what {@link #loseData} has recorded for this message, or null, and clears it. */
    public Throwable takeLoss() {
        Throwable taken = loss;
        loss = null;
        return taken;
    }

    /** Whether sending begins at the start of the message. */
    public boolean isFirst() {
        return offset == 0;
    }

    /** The number of packets of a message. An empty message has one packet. */
    public static int packets(long length, int mtu) {
        return length <= mtu ? 1 : (int) ((length + mtu - 1) / mtu);
    }
}
