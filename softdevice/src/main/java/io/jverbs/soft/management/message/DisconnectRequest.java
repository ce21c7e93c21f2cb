package io.jverbs.soft.management.message;

/**
 * A DREQ: the sender ends the connection.
 *
 * @param localCommId the sender's communication ID
 * @param remoteCommId the receiver's communication ID
 * @param remoteQpn the number of the receiver's queue pair, 24 bits
 * @param privateData at most 220 bytes; 220 bytes if decoded
 */
public record DisconnectRequest(int localCommId, int remoteCommId, int remoteQpn,
        PrivateData privateData) implements CmMessage {
    private static final MadField LOCAL_COMM_ID = MadField.at(24, 32);
    private static final MadField REMOTE_COMM_ID = MadField.at(28, 32);
    private static final MadField REMOTE_QPN = MadField.at(32, 24);
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(36, 220);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.DREQ;
    }

    static DisconnectRequest decode(ManagementDatagram mad) {
        return new DisconnectRequest((int) mad.get(LOCAL_COMM_ID), (int) mad.get(REMOTE_COMM_ID),
                (int) mad.get(REMOTE_QPN), PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.set(LOCAL_COMM_ID, localCommId);
        mad.set(REMOTE_COMM_ID, remoteCommId);
        mad.set(REMOTE_QPN, remoteQpn);
        PRIVATE_DATA.write(mad, privateData);
    }
}
