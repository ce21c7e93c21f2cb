package io.jverbs.soft.management.message;

/**
 * A REJ: the sender refuses the connection, or has ended it.
 *
 * @param localCommId the sender's communication ID, 0 if it has none
 * @param remoteCommId the receiver's communication ID
 * @param rejected the message that it responds to
 * @param reason the reason, 16 bits, see {@link RejectReason}
 * @param additionalInfo the additional reject information (ARI), at most 72 bytes
 * @param privateData at most 148 bytes; 148 bytes if decoded
 */
public record ConnectReject(int localCommId, int remoteCommId, CmMessageType rejected, int reason,
        PrivateData additionalInfo, PrivateData privateData) implements CmMessage {
    private static final int ARI_BYTES = 72;
    private static final MadField LOCAL_COMM_ID = MadField.at(24, 32);
    private static final MadField REMOTE_COMM_ID = MadField.at(28, 32);
    private static final MadField MESSAGE = MadField.at(32, 2);
    private static final MadField INFO_LENGTH = MadField.at(33, 7);
    private static final MadField REASON = MadField.at(34, 16);
    private static final int INFO = 36;
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(INFO + ARI_BYTES, 148);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.REJ;
    }

    static ConnectReject decode(ManagementDatagram mad) {
        int length = Math.min((int) mad.get(INFO_LENGTH), ARI_BYTES);
        return new ConnectReject((int) mad.get(LOCAL_COMM_ID), (int) mad.get(REMOTE_COMM_ID),
                CmMessageType.of(mad.get(MESSAGE)), (int) mad.get(REASON),
                new PrivateData.Field(INFO, length).read(mad), PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.set(LOCAL_COMM_ID, localCommId);
        mad.set(REMOTE_COMM_ID, remoteCommId);
        mad.set(MESSAGE, rejected.ordinal());
        mad.set(INFO_LENGTH, additionalInfo.length());
        mad.set(REASON, reason);
        new PrivateData.Field(INFO, ARI_BYTES).write(mad, additionalInfo);
        PRIVATE_DATA.write(mad, privateData);
    }
}
