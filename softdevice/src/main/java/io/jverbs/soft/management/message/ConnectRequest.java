package io.jverbs.soft.management.message;

/**
 * A REQ: the active side asks for a connection.
 *
 * @param localCommId the sender's communication ID
 * @param serviceId the service that the receiver must offer
 * @param caGuid identifies the sender
 * @param qkey the Q_Key, 0 for RC
 * @param qpn the number of the sender's queue pair, 24 bits
 * @param responderResources the number of READs and atomics that the sender executes at a time, 8 bits
 * @param initiatorDepth the number of READs and atomics that the sender has in flight, 8 bits
 * @param remoteCmResponseTimeout the time within which the receiver must respond, 5 bits, 4.096 us * 2^x
 * @param transport 0 for RC, 1 for UC, 3 for the type in {@code extendedTransport}
 * @param flowControl whether the sender's end-to-end flow control works
 * @param startingPsn the PSN of the first packet that the receiver of this message sends, 24 bits
 * @param localCmResponseTimeout the time within which the sender responds, 5 bits, 4.096 us * 2^x
 * @param retryCount the retry count of both queue pairs, 3 bits
 * @param pkey the P_Key
 * @param pathMtu the path MTU, {@code enum ibv_mtu}
 * @param rnrRetryCount the RNR retry count of the receiver's queue pair, 3 bits
 * @param maxCmRetries how often messages are sent again, 4 bits
 * @param srq whether the sender's queue pair uses a shared receive queue
 * @param extendedTransport 1 for XRC, if {@code transport} is 3
 * @param primaryPath the path
 * @param alternatePath the alternate path, or {@link PathFields#NONE}
 * @param ece the options of enhanced connection establishment
 * @param privateData at most 92 bytes; 92 bytes if decoded
 */
public record ConnectRequest(int localCommId, long serviceId, long caGuid, int qkey, int qpn, int responderResources,
        int initiatorDepth, int remoteCmResponseTimeout, int transport, boolean flowControl, int startingPsn,
        int localCmResponseTimeout, int retryCount, int pkey, int pathMtu, int rnrRetryCount, int maxCmRetries,
        boolean srq, int extendedTransport, PathFields primaryPath, PathFields alternatePath, Ece ece,
        PrivateData privateData) implements CmMessage {
    private static final MadField LOCAL_COMM_ID = MadField.at(24, 32);
    private static final MadField VENDOR_ID = MadField.at(29, 24);
    private static final MadField SERVICE_ID = MadField.at(32, 64);
    private static final MadField CA_GUID = MadField.at(40, 64);
    private static final MadField QKEY = MadField.at(52, 32);
    private static final MadField QPN = MadField.at(56, 24);
    private static final MadField RESPONDER_RESOURCES = MadField.at(59, 8);
    private static final MadField INITIATOR_DEPTH = MadField.at(63, 8);
    private static final MadField REMOTE_CM_RESPONSE_TIMEOUT = MadField.at(67, 5);
    private static final MadField TRANSPORT = MadField.at(67, 5, 2);
    private static final MadField FLOW_CONTROL = MadField.at(67, 7, 1);
    private static final MadField STARTING_PSN = MadField.at(68, 24);
    private static final MadField LOCAL_CM_RESPONSE_TIMEOUT = MadField.at(71, 5);
    private static final MadField RETRY_COUNT = MadField.at(71, 5, 3);
    private static final MadField PKEY = MadField.at(72, 16);
    private static final MadField PATH_MTU = MadField.at(74, 4);
    private static final MadField RNR_RETRY_COUNT = MadField.at(74, 5, 3);
    private static final MadField MAX_CM_RETRIES = MadField.at(75, 4);
    private static final MadField SRQ = MadField.at(75, 4, 1);
    private static final MadField EXTENDED_TRANSPORT = MadField.at(75, 5, 3);
    private static final int PRIMARY_PATH = 76;
    private static final int ALTERNATE_PATH = PRIMARY_PATH + PathFields.BYTES;
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(164, 92);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REQ;
    }

    static ConnectRequest decode(ManagementDatagram mad) {
        return new ConnectRequest((int) mad.get(LOCAL_COMM_ID), mad.get(SERVICE_ID), mad.get(CA_GUID),
                (int) mad.get(QKEY), (int) mad.get(QPN), (int) mad.get(RESPONDER_RESOURCES),
                (int) mad.get(INITIATOR_DEPTH), (int) mad.get(REMOTE_CM_RESPONSE_TIMEOUT), (int) mad.get(TRANSPORT),
                mad.get(FLOW_CONTROL) != 0, (int) mad.get(STARTING_PSN), (int) mad.get(LOCAL_CM_RESPONSE_TIMEOUT),
                (int) mad.get(RETRY_COUNT), (int) mad.get(PKEY), (int) mad.get(PATH_MTU),
                (int) mad.get(RNR_RETRY_COUNT), (int) mad.get(MAX_CM_RETRIES), mad.get(SRQ) != 0,
                (int) mad.get(EXTENDED_TRANSPORT), PathFields.decode(mad, PRIMARY_PATH),
                PathFields.decode(mad, ALTERNATE_PATH), new Ece((int) mad.get(VENDOR_ID), mad.attributeModifier()),
                PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.attributeModifier(ece.options());
        mad.set(LOCAL_COMM_ID, localCommId);
        mad.set(VENDOR_ID, ece.vendorId());
        mad.set(SERVICE_ID, serviceId);
        mad.set(CA_GUID, caGuid);
        mad.set(QKEY, qkey);
        mad.set(QPN, qpn);
        mad.set(RESPONDER_RESOURCES, responderResources);
        mad.set(INITIATOR_DEPTH, initiatorDepth);
        mad.set(REMOTE_CM_RESPONSE_TIMEOUT, remoteCmResponseTimeout);
        mad.set(TRANSPORT, transport);
        mad.set(FLOW_CONTROL, flowControl ? 1 : 0);
        mad.set(STARTING_PSN, startingPsn);
        mad.set(LOCAL_CM_RESPONSE_TIMEOUT, localCmResponseTimeout);
        mad.set(RETRY_COUNT, retryCount);
        mad.set(PKEY, pkey);
        mad.set(PATH_MTU, pathMtu);
        mad.set(RNR_RETRY_COUNT, rnrRetryCount);
        mad.set(MAX_CM_RETRIES, maxCmRetries);
        mad.set(SRQ, srq ? 1 : 0);
        mad.set(EXTENDED_TRANSPORT, extendedTransport);
        primaryPath.encode(mad, PRIMARY_PATH);
        alternatePath.encode(mad, ALTERNATE_PATH);
        PRIVATE_DATA.write(mad, privateData);
    }
}
