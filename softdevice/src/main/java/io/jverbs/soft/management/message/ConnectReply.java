package io.jverbs.soft.management.message;

/**
 * A REP: the passive side accepts the connection.
 *
 * @param localCommId the sender's communication ID
 * @param remoteCommId the receiver's communication ID
 * @param qkey the Q_Key, 0 for RC
 * @param qpn the number of the sender's queue pair, 24 bits
 * @param startingPsn the PSN of the first packet that the receiver of this message sends, 24 bits
 * @param responderResources the number of READs and atomics that the sender executes at a time, 8 bits
 * @param initiatorDepth the number of READs and atomics that the sender has in flight, 8 bits
 * @param targetAckDelay how long the sender's device takes to respond, 5 bits, 4.096 us * 2^x
 * @param failoverAccepted 0 if the alternate path was accepted, otherwise the reason, 2 bits
 * @param flowControl whether the sender's end-to-end flow control works
 * @param rnrRetryCount the RNR retry count of the receiver's queue pair, 3 bits
 * @param srq whether the sender's queue pair uses a shared receive queue
 * @param caGuid identifies the sender
 * @param ece the options of enhanced connection establishment
 * @param privateData at most 196 bytes; 196 bytes if decoded
 */
public record ConnectReply(int localCommId, int remoteCommId, int qkey, int qpn, int startingPsn,
        int responderResources, int initiatorDepth, int targetAckDelay, int failoverAccepted, boolean flowControl,
        int rnrRetryCount, boolean srq, long caGuid, Ece ece, PrivateData privateData) implements CmMessage {
    private static final MadField LOCAL_COMM_ID = MadField.at(24, 32);
    private static final MadField REMOTE_COMM_ID = MadField.at(28, 32);
    private static final MadField QKEY = MadField.at(32, 32);
    private static final MadField QPN = MadField.at(36, 24);
    private static final MadField VENDOR_ID_HIGH = MadField.at(39, 8);
    private static final MadField VENDOR_ID_MIDDLE = MadField.at(43, 8);
    private static final MadField STARTING_PSN = MadField.at(44, 24);
    private static final MadField VENDOR_ID_LOW = MadField.at(47, 8);
    private static final MadField RESPONDER_RESOURCES = MadField.at(48, 8);
    private static final MadField INITIATOR_DEPTH = MadField.at(49, 8);
    private static final MadField TARGET_ACK_DELAY = MadField.at(50, 5);
    private static final MadField FAILOVER_ACCEPTED = MadField.at(50, 5, 2);
    private static final MadField FLOW_CONTROL = MadField.at(50, 7, 1);
    private static final MadField RNR_RETRY_COUNT = MadField.at(51, 3);
    private static final MadField SRQ = MadField.at(51, 3, 1);
    private static final MadField CA_GUID = MadField.at(52, 64);
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(60, 196);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REP;
    }

    static ConnectReply decode(ManagementDatagram mad) {
        int vendorId = (int) (mad.get(VENDOR_ID_HIGH) << 16 | mad.get(VENDOR_ID_MIDDLE) << 8 | mad.get(VENDOR_ID_LOW));
        return new ConnectReply((int) mad.get(LOCAL_COMM_ID), (int) mad.get(REMOTE_COMM_ID), (int) mad.get(QKEY),
                (int) mad.get(QPN), (int) mad.get(STARTING_PSN), (int) mad.get(RESPONDER_RESOURCES),
                (int) mad.get(INITIATOR_DEPTH), (int) mad.get(TARGET_ACK_DELAY), (int) mad.get(FAILOVER_ACCEPTED),
                mad.get(FLOW_CONTROL) != 0, (int) mad.get(RNR_RETRY_COUNT), mad.get(SRQ) != 0, mad.get(CA_GUID),
                new Ece(vendorId, mad.attributeModifier()), PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.attributeModifier(ece.options());
        mad.set(LOCAL_COMM_ID, localCommId);
        mad.set(REMOTE_COMM_ID, remoteCommId);
        mad.set(QKEY, qkey);
        mad.set(QPN, qpn);
        mad.set(VENDOR_ID_HIGH, ece.vendorId() >>> 16);
        mad.set(VENDOR_ID_MIDDLE, ece.vendorId() >>> 8);
        mad.set(VENDOR_ID_LOW, ece.vendorId());
        mad.set(STARTING_PSN, startingPsn);
        mad.set(RESPONDER_RESOURCES, responderResources);
        mad.set(INITIATOR_DEPTH, initiatorDepth);
        mad.set(TARGET_ACK_DELAY, targetAckDelay);
        mad.set(FAILOVER_ACCEPTED, failoverAccepted);
        mad.set(FLOW_CONTROL, flowControl ? 1 : 0);
        mad.set(RNR_RETRY_COUNT, rnrRetryCount);
        mad.set(SRQ, srq ? 1 : 0);
        mad.set(CA_GUID, caGuid);
        PRIVATE_DATA.write(mad, privateData);
    }
}
