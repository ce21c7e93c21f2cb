package io.jverbs.soft.management.message;

/**
 * A SIDR_REP: the response to a SIDR_REQ.
 *
 * @param requestId the receiver's ID of the request
 * @param status the status, 8 bits, 0 if the queue pair is valid
 * @param qpn the number of the queue pair, 24 bits
 * @param serviceId the service
 * @param qkey the Q_Key of the queue pair
 * @param ece the options of enhanced connection establishment
 * @param additionalInfo at most 72 bytes
 * @param privateData at most 136 bytes; 136 bytes if decoded
 */
public record SidrReply(int requestId, int status, int qpn, long serviceId, int qkey, Ece ece,
        PrivateData additionalInfo, PrivateData privateData) implements CmMessage {
    /** The status if the queue pair is valid. */
    public static final int VALID = 0;
    /** The status if there is no listener for the service ID. */
    public static final int SERVICE_ID_NOT_SUPPORTED = 1;
    /** The status if a program has rejected the request. */
    public static final int REJECTED = 2;

    private static final int INFO_BYTES = 72;
    private static final MadField REQUEST_ID = MadField.at(24, 32);
    private static final MadField STATUS = MadField.at(28, 8);
    private static final MadField INFO_LENGTH = MadField.at(29, 8);
    private static final MadField VENDOR_ID_HIGH = MadField.at(30, 16);
    private static final MadField QPN = MadField.at(32, 24);
    private static final MadField VENDOR_ID_LOW = MadField.at(35, 8);
    private static final MadField SERVICE_ID = MadField.at(36, 64);
    private static final MadField QKEY = MadField.at(44, 32);
    private static final int INFO = 48;
    private static final PrivateData.Field PRIVATE_DATA = new PrivateData.Field(INFO + INFO_BYTES, 136);

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REP;
    }

    static SidrReply decode(ManagementDatagram mad) {
        int length = Math.min((int) mad.get(INFO_LENGTH), INFO_BYTES);
        int vendorId = (int) (mad.get(VENDOR_ID_HIGH) << 8 | mad.get(VENDOR_ID_LOW));
        return new SidrReply((int) mad.get(REQUEST_ID), (int) mad.get(STATUS), (int) mad.get(QPN),
                mad.get(SERVICE_ID), (int) mad.get(QKEY), new Ece(vendorId, mad.attributeModifier()),
                new PrivateData.Field(INFO, length).read(mad), PRIVATE_DATA.read(mad));
    }

    @Override
    public void write(ManagementDatagram mad) {
        mad.attributeModifier(ece.options());
        mad.set(REQUEST_ID, requestId);
        mad.set(STATUS, status);
        mad.set(INFO_LENGTH, additionalInfo.length());
        mad.set(VENDOR_ID_HIGH, ece.vendorId() >>> 8);
        mad.set(QPN, qpn);
        mad.set(VENDOR_ID_LOW, ece.vendorId());
        mad.set(SERVICE_ID, serviceId);
        mad.set(QKEY, qkey);
        new PrivateData.Field(INFO, INFO_BYTES).write(mad, additionalInfo);
        PRIVATE_DATA.write(mad, privateData);
    }
}
