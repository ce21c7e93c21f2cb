package io.jverbs.soft.management.message;

import io.jverbs.Gid;

/**
 * A path in a REQ: where the connection's packets go. See section 12.6.5 of the InfiniBand Architecture Specification.
 *
 * @param localLid the sender's LID, 0xFFFF for RoCEv2
 * @param remoteLid the receiver's LID, 0xFFFF for RoCEv2
 * @param localGid the sender's GID
 * @param remoteGid the receiver's GID
 * @param flowLabel 20 bits
 * @param packetRate the static rate, {@code enum ibv_rate}, 6 bits
 * @param trafficClass 8 bits
 * @param hopLimit 8 bits
 * @param serviceLevel 4 bits
 * @param subnetLocal whether both ends are in one subnet
 * @param localAckTimeout the ACK timeout for the receiver's queue pair, 5 bits, 4.096 us * 2^x
 */
public record PathFields(int localLid, int remoteLid, Gid localGid, Gid remoteGid, int flowLabel, int packetRate,
        int trafficClass, int hopLimit, int serviceLevel, boolean subnetLocal, int localAckTimeout) {
    /** The path of a REQ that has no alternate path. */
    public static final PathFields NONE = new PathFields(0, 0, Gid.ZERO, Gid.ZERO, 0, 0, 0, 0, 0, false, 0);
    /** The length of a path in bytes. */
    static final int BYTES = 44;

    private static final MadField LOCAL_LID = MadField.at(0, 16);
    private static final MadField REMOTE_LID = MadField.at(2, 16);
    private static final MadField LOCAL_GID_HIGH = MadField.at(4, 64);
    private static final MadField LOCAL_GID_LOW = MadField.at(12, 64);
    private static final MadField REMOTE_GID_HIGH = MadField.at(20, 64);
    private static final MadField REMOTE_GID_LOW = MadField.at(28, 64);
    private static final MadField FLOW_LABEL = MadField.at(36, 20);
    private static final MadField PACKET_RATE = MadField.at(39, 2, 6);
    private static final MadField TRAFFIC_CLASS = MadField.at(40, 8);
    private static final MadField HOP_LIMIT = MadField.at(41, 8);
    private static final MadField SERVICE_LEVEL = MadField.at(42, 4);
    private static final MadField SUBNET_LOCAL = MadField.at(42, 4, 1);
    private static final MadField LOCAL_ACK_TIMEOUT = MadField.at(43, 5);

    /** {@return whether the ends of this path are two GIDs} */
    public boolean isBetween(Gid sender, Gid receiver) {
        return localGid.equals(sender) && remoteGid.equals(receiver);
    }

    static PathFields decode(ManagementDatagram mad, int offset) {
        return new PathFields((int) mad.get(LOCAL_LID.plus(offset)), (int) mad.get(REMOTE_LID.plus(offset)),
                Gid.of(mad.get(LOCAL_GID_HIGH.plus(offset)), mad.get(LOCAL_GID_LOW.plus(offset))),
                Gid.of(mad.get(REMOTE_GID_HIGH.plus(offset)), mad.get(REMOTE_GID_LOW.plus(offset))),
                (int) mad.get(FLOW_LABEL.plus(offset)), (int) mad.get(PACKET_RATE.plus(offset)),
                (int) mad.get(TRAFFIC_CLASS.plus(offset)), (int) mad.get(HOP_LIMIT.plus(offset)),
                (int) mad.get(SERVICE_LEVEL.plus(offset)), mad.get(SUBNET_LOCAL.plus(offset)) != 0,
                (int) mad.get(LOCAL_ACK_TIMEOUT.plus(offset)));
    }

    void encode(ManagementDatagram mad, int offset) {
        mad.set(LOCAL_LID.plus(offset), localLid);
        mad.set(REMOTE_LID.plus(offset), remoteLid);
        mad.set(LOCAL_GID_HIGH.plus(offset), localGid.high());
        mad.set(LOCAL_GID_LOW.plus(offset), localGid.low());
        mad.set(REMOTE_GID_HIGH.plus(offset), remoteGid.high());
        mad.set(REMOTE_GID_LOW.plus(offset), remoteGid.low());
        mad.set(FLOW_LABEL.plus(offset), flowLabel);
        mad.set(PACKET_RATE.plus(offset), packetRate);
        mad.set(TRAFFIC_CLASS.plus(offset), trafficClass);
        mad.set(HOP_LIMIT.plus(offset), hopLimit);
        mad.set(SERVICE_LEVEL.plus(offset), serviceLevel);
        mad.set(SUBNET_LOCAL.plus(offset), subnetLocal ? 1 : 0);
        mad.set(LOCAL_ACK_TIMEOUT.plus(offset), localAckTimeout);
    }
}
