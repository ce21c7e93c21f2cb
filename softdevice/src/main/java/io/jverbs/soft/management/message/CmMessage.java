package io.jverbs.soft.management.message;

/** A message of communication management. See section 12.6 of the InfiniBand Architecture Specification. Immutable. */
public sealed interface CmMessage permits ConnectRequest, MessageReceiptAck, ConnectReject, ConnectReply, ReadyToUse,
        DisconnectRequest, DisconnectReply, SidrRequest, SidrReply {

    /** {@return which message it is} */
    CmAttribute attribute();

    /**
     * Writes the fields after the header.
     *
     * @param mad a datagram whose fields after the header are zero
     */
    void write(ManagementDatagram mad);

    /**
     * Encodes this message.
     *
     * @param transactionId the transaction ID
     * @return the datagram
     */
    default ManagementDatagram encode(long transactionId) {
        ManagementDatagram mad = ManagementDatagram.ofCm(attribute().id(), transactionId);
        write(mad);
        return mad;
    }

    /**
     * Decodes a message. Reserved bits are ignored.
     *
     * @param mad a datagram of communication management, see {@link ManagementDatagram#refusal}
     * @return the message, or null if its attribute is not one of {@link CmAttribute}
     */
    static CmMessage decode(ManagementDatagram mad) {
        CmAttribute attribute = CmAttribute.of(mad.attributeId());
        return attribute == null ? null : attribute.decode(mad);
    }
}
