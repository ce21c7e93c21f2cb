package io.jverbs.soft.management.message;

/**
 * A SIDR_REQ: the sender asks for the queue pair of a datagram service.
 *
 * @param requestId the sender's ID of the request
 * @param pkey the P_Key
 * @param serviceId the service that the receiver must offer
 * @param privateData at most 216 bytes; 216 bytes if decoded
 */
public record SidrRequest(int requestId, int pkey, long serviceId, PrivateData privateData) implements CmMessage {
    private static final MadField REQUEST_ID = MadField.at(24, 32);
    private static final MadField PKEY = MadField.at(28, 16);
    private static final MadField SERVICE_ID = MadField.at(32, 64);
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(40, 216);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REQ;
    }

    static SidrRequest decode(ManagementDatagram mad) {
        return new SidrRequest((int) mad.get(REQUEST_ID), (int) mad.get(PKEY), mad.get(SERVICE_ID),
                PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.set(REQUEST_ID, requestId);
        mad.set(PKEY, pkey);
        mad.set(SERVICE_ID, serviceId);
        PRIVATE_DATA.write(mad, privateData);
    }
}
