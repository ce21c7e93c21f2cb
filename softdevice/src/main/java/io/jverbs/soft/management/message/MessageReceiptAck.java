package io.jverbs.soft.management.message;

/**
 * An MRA: the message has arrived, and its response takes longer.
 *
 * @param localCommId the sender's communication ID
 * @param remoteCommId the receiver's communication ID
 * @param acknowledged the message that has arrived
 * @param serviceTimeout the time within which the sender responds, 5 bits, 4.096 us * 2^x
 * @param privateData at most 222 bytes; 222 bytes if decoded
 */
public record MessageReceiptAck(int localCommId, int remoteCommId, CmMessageType acknowledged, int serviceTimeout,
        PrivateData privateData) implements CmMessage {
    private static final MadField LOCAL_COMM_ID = MadField.at(24, 32);
    private static final MadField REMOTE_COMM_ID = MadField.at(28, 32);
    private static final MadField MESSAGE = MadField.at(32, 2);
    private static final MadField SERVICE_TIMEOUT = MadField.at(33, 5);
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(34, 222);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.MRA;
    }

    static MessageReceiptAck decode(ManagementDatagram mad) {
        return new MessageReceiptAck((int) mad.get(LOCAL_COMM_ID), (int) mad.get(REMOTE_COMM_ID),
                CmMessageType.of(mad.get(MESSAGE)), (int) mad.get(SERVICE_TIMEOUT), PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.set(LOCAL_COMM_ID, localCommId);
        mad.set(REMOTE_COMM_ID, remoteCommId);
        mad.set(MESSAGE, acknowledged.ordinal());
        mad.set(SERVICE_TIMEOUT, serviceTimeout);
        PRIVATE_DATA.write(mad, privateData);
    }
}
