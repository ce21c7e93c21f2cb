package io.jverbs.soft.management.message;

/**
 * An RTU: the active side has moved its queue pair to RTS.
 *
 * @param localCommId the sender's communication ID
 * @param remoteCommId the receiver's communication ID
 * @param privateData at most 224 bytes; 224 bytes if decoded
 */
public record ReadyToUse(int localCommId, int remoteCommId, PrivateData privateData) implements CmMessage {
    private static final MadField LOCAL_COMM_ID = MadField.at(24, 32);
    private static final MadField REMOTE_COMM_ID = MadField.at(28, 32);
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(32, 224);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.RTU;
    }

    static ReadyToUse decode(ManagementDatagram mad) {
        return new ReadyToUse((int) mad.get(LOCAL_COMM_ID), (int) mad.get(REMOTE_COMM_ID), PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.set(LOCAL_COMM_ID, localCommId);
        mad.set(REMOTE_COMM_ID, remoteCommId);
        PRIVATE_DATA.write(mad, privateData);
    }
}
