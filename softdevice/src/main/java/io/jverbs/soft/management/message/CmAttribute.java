package io.jverbs.soft.management.message;

import java.util.Locale;
import java.util.function.Function;

/** The attributes of communication management: which message a datagram is. See section 12.6 of the specification. */
public enum CmAttribute {
    /** ConnectRequest. */
    REQ(0x0010, ConnectRequest::decode),
    /** MsgRcptAck. */
    MRA(0x0011, MessageReceiptAck::decode),
    /** ConnectReject. */
    REJ(0x0012, ConnectReject::decode),
    /** ConnectReply. */
    REP(0x0013, ConnectReply::decode),
    /** ReadyToUse. */
    RTU(0x0014, ReadyToUse::decode),
    /** DisconnectRequest. */
    DREQ(0x0015, DisconnectRequest::decode),
    /** DisconnectReply. */
    DREP(0x0016, DisconnectReply::decode),
    /** ServiceIDResReq. */
    SIDR_REQ(0x0017, SidrRequest::decode),
    /** ServiceIDResReqResp. */
    SIDR_REP(0x0018, SidrReply::decode);

    /** All attributes, in the order of their consecutive IDs. */
    private static final CmAttribute[] ALL = values();

    private final int id;
    private final Function<ManagementDatagram, CmMessage> decoder;
    private final String label;

    CmAttribute(int id, Function<ManagementDatagram, CmMessage> decoder) {
        this.id = id;
        this.decoder = decoder;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** {@return the name of Linux's counters of such messages, as req} */
    public String label() {
        return label;
    }

    int id() {
        return id;
    }

    CmMessage decode(ManagementDatagram mad) {
        return decoder.apply(mad);
    }

    /** Returns the attribute of an ID, or null. */
    static CmAttribute of(int id) {
        int index = id - REQ.id;
        return index >= 0 && index < ALL.length ? ALL[index] : null;
    }
}
