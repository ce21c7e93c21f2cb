package io.jverbs;

import java.util.Objects;

/**
 * What a device is and how much it can do, {@code struct ibv_device_attr} and what ibv_get_device_list(3) tells;
 * see ibv_query_device(3). Constant while the device lives.
 *
 * <p>
 * Limits are those of the device as a whole: another program may have used them up, and a combination of large
 * values may be refused.
 *
 * @param fwVersion the version of the firmware, or of the software device
 * @param nodeGuid the GUID of the device, in host order
 * @param systemImageGuid the GUID of the system that the device is part of, in host order
 * @param maxMrSize the largest memory region in bytes, unsigned
 * @param pageSizeCap the page sizes that the device supports, a bit for each
 * @param vendorId the vendor, an IEEE OUI
 * @param vendorPartId the vendor's number for the device
 * @param hwVersion the vendor's number for the device's version
 * @param maxQp how many queue pairs there can be
 * @param maxQpWr how many requests a queue of a queue pair can hold
 * @param deviceCapFlags what the device can do, {@code enum ibv_device_cap_flags}
 * @param maxSge how many scatter/gather elements a request can have
 * @param maxSgeRd how many scatter/gather elements an RDMA READ can have
 * @param maxCq how many completion queues there can be
 * @param maxCqe how many completions a completion queue can hold
 * @param maxMr how many memory regions there can be
 * @param maxPd how many protection domains there can be
 * @param maxQpRdAtom how many READ and atomic operations of the peer a queue pair can have outstanding: the limit
 *        of {@link QpAttribute#MAX_DEST_RD_ATOMIC}
 * @param maxResRdAtom how many READ and atomic operations of peers the device can have outstanding
 * @param maxQpInitRdAtom how many READ and atomic operations a queue pair can have outstanding as initiator: the
 *        limit of {@link QpAttribute#MAX_QP_RD_ATOMIC}
 * @param atomicCapability with what else atomic operations are atomic
 * @param maxMw how many memory windows there can be
 * @param maxMcastGroups how many multicast groups there can be
 * @param maxMcastQpAttach how many queue pairs can be attached to one multicast group
 * @param maxTotalMcastQpAttach how many attachments there can be in all
 * @param maxAh how many address handles there can be
 * @param maxSrq how many shared receive queues there can be
 * @param maxSrqWr how many requests a shared receive queue can hold
 * @param maxSrqSge how many scatter/gather elements a request of a shared receive queue can have
 * @param maxPkeys how many partition keys a port can have
 * @param localCaAckDelay how long the device may take to acknowledge: 4.096 us * 2^n, n from 0 to 31
 * @param portCount how many ports there are; they are numbered from 1
 * @param completionVectors how many completion vectors there are; they are numbered from 0
 * @param nodeType what the device is in its network
 * @param transportType the protocols that it speaks
 */
public record DeviceAttributes(
        String fwVersion, long nodeGuid, long systemImageGuid, long maxMrSize, long pageSizeCap, int vendorId,
        int vendorPartId, int hwVersion, int maxQp, int maxQpWr, long deviceCapFlags, int maxSge, int maxSgeRd,
        int maxCq, int maxCqe, int maxMr, int maxPd, int maxQpRdAtom, int maxResRdAtom, int maxQpInitRdAtom,
        AtomicCapability atomicCapability, int maxMw, int maxMcastGroups, int maxMcastQpAttach,
        int maxTotalMcastQpAttach, int maxAh, int maxSrq, int maxSrqWr, int maxSrqSge, int maxPkeys,
        int localCaAckDelay, int portCount, int completionVectors, NodeType nodeType, TransportType transportType) {

    /** Checks that no component is null. */
    public DeviceAttributes {
        Objects.requireNonNull(fwVersion, "fwVersion");
        Objects.requireNonNull(atomicCapability, "atomicCapability");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(transportType, "transportType");
    }

    /** {@return a builder with one port, one completion vector, node type CA, transport IB and 0 for the rest} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that starts with these values} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.fwVersion = fwVersion;
        builder.nodeGuid = nodeGuid;
        builder.systemImageGuid = systemImageGuid;
        builder.maxMrSize = maxMrSize;
        builder.pageSizeCap = pageSizeCap;
        builder.vendorId = vendorId;
        builder.vendorPartId = vendorPartId;
        builder.hwVersion = hwVersion;
        builder.maxQp = maxQp;
        builder.maxQpWr = maxQpWr;
        builder.deviceCapFlags = deviceCapFlags;
        builder.maxSge = maxSge;
        builder.maxSgeRd = maxSgeRd;
        builder.maxCq = maxCq;
        builder.maxCqe = maxCqe;
        builder.maxMr = maxMr;
        builder.maxPd = maxPd;
        builder.maxQpRdAtom = maxQpRdAtom;
        builder.maxResRdAtom = maxResRdAtom;
        builder.maxQpInitRdAtom = maxQpInitRdAtom;
        builder.atomicCapability = atomicCapability;
        builder.maxMw = maxMw;
        builder.maxMcastGroups = maxMcastGroups;
        builder.maxMcastQpAttach = maxMcastQpAttach;
        builder.maxTotalMcastQpAttach = maxTotalMcastQpAttach;
        builder.maxAh = maxAh;
        builder.maxSrq = maxSrq;
        builder.maxSrqWr = maxSrqWr;
        builder.maxSrqSge = maxSrqSge;
        builder.maxPkeys = maxPkeys;
        builder.localCaAckDelay = localCaAckDelay;
        builder.portCount = portCount;
        builder.completionVectors = completionVectors;
        builder.nodeType = nodeType;
        builder.transportType = transportType;
        return builder;
    }

    /** Collects the values of {@link DeviceAttributes}. For one thread at a time. */
    public static final class Builder {
        private String fwVersion = "";
        private long nodeGuid;
        private long systemImageGuid;
        private long maxMrSize;
        private long pageSizeCap;
        private int vendorId;
        private int vendorPartId;
        private int hwVersion;
        private int maxQp;
        private int maxQpWr;
        private long deviceCapFlags;
        private int maxSge;
        private int maxSgeRd;
        private int maxCq;
        private int maxCqe;
        private int maxMr;
        private int maxPd;
        private int maxQpRdAtom;
        private int maxResRdAtom;
        private int maxQpInitRdAtom;
        private AtomicCapability atomicCapability = AtomicCapability.NONE;
        private int maxMw;
        private int maxMcastGroups;
        private int maxMcastQpAttach;
        private int maxTotalMcastQpAttach;
        private int maxAh;
        private int maxSrq;
        private int maxSrqWr;
        private int maxSrqSge;
        private int maxPkeys;
        private int localCaAckDelay;
        private int portCount = 1;
        private int completionVectors = 1;
        private NodeType nodeType = NodeType.CA;
        private TransportType transportType = TransportType.IB;

        private Builder() {}

        /**
         * {@return this builder, with {@link DeviceAttributes#fwVersion()} set}
         *
         * @param value the value
         */
        public Builder fwVersion(String value) {
            fwVersion = Objects.requireNonNull(value, "fwVersion");
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#nodeGuid()} set}
         *
         * @param value the value
         */
        public Builder nodeGuid(long value) {
            nodeGuid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#systemImageGuid()} set}
         *
         * @param value the value
         */
        public Builder systemImageGuid(long value) {
            systemImageGuid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMrSize()} set}
         *
         * @param value the value
         */
        public Builder maxMrSize(long value) {
            maxMrSize = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#pageSizeCap()} set}
         *
         * @param value the value
         */
        public Builder pageSizeCap(long value) {
            pageSizeCap = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#vendorId()} set}
         *
         * @param value the value
         */
        public Builder vendorId(int value) {
            vendorId = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#vendorPartId()} set}
         *
         * @param value the value
         */
        public Builder vendorPartId(int value) {
            vendorPartId = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#hwVersion()} set}
         *
         * @param value the value
         */
        public Builder hwVersion(int value) {
            hwVersion = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQp()} set}
         *
         * @param value the value
         */
        public Builder maxQp(int value) {
            maxQp = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQpWr()} set}
         *
         * @param value the value
         */
        public Builder maxQpWr(int value) {
            maxQpWr = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#deviceCapFlags()} set}
         *
         * @param value the value
         */
        public Builder deviceCapFlags(long value) {
            deviceCapFlags = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSge()} set}
         *
         * @param value the value
         */
        public Builder maxSge(int value) {
            maxSge = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSgeRd()} set}
         *
         * @param value the value
         */
        public Builder maxSgeRd(int value) {
            maxSgeRd = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxCq()} set}
         *
         * @param value the value
         */
        public Builder maxCq(int value) {
            maxCq = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxCqe()} set}
         *
         * @param value the value
         */
        public Builder maxCqe(int value) {
            maxCqe = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMr()} set}
         *
         * @param value the value
         */
        public Builder maxMr(int value) {
            maxMr = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxPd()} set}
         *
         * @param value the value
         */
        public Builder maxPd(int value) {
            maxPd = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQpRdAtom()} set}
         *
         * @param value the value
         */
        public Builder maxQpRdAtom(int value) {
            maxQpRdAtom = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxResRdAtom()} set}
         *
         * @param value the value
         */
        public Builder maxResRdAtom(int value) {
            maxResRdAtom = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQpInitRdAtom()} set}
         *
         * @param value the value
         */
        public Builder maxQpInitRdAtom(int value) {
            maxQpInitRdAtom = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#atomicCapability()} set}
         *
         * @param value the value
         */
        public Builder atomicCapability(AtomicCapability value) {
            atomicCapability = Objects.requireNonNull(value, "atomicCapability");
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMw()} set}
         *
         * @param value the value
         */
        public Builder maxMw(int value) {
            maxMw = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMcastGroups()} set}
         *
         * @param value the value
         */
        public Builder maxMcastGroups(int value) {
            maxMcastGroups = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMcastQpAttach()} set}
         *
         * @param value the value
         */
        public Builder maxMcastQpAttach(int value) {
            maxMcastQpAttach = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxTotalMcastQpAttach()} set}
         *
         * @param value the value
         */
        public Builder maxTotalMcastQpAttach(int value) {
            maxTotalMcastQpAttach = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxAh()} set}
         *
         * @param value the value
         */
        public Builder maxAh(int value) {
            maxAh = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSrq()} set}
         *
         * @param value the value
         */
        public Builder maxSrq(int value) {
            maxSrq = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSrqWr()} set}
         *
         * @param value the value
         */
        public Builder maxSrqWr(int value) {
            maxSrqWr = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSrqSge()} set}
         *
         * @param value the value
         */
        public Builder maxSrqSge(int value) {
            maxSrqSge = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxPkeys()} set}
         *
         * @param value the value
         */
        public Builder maxPkeys(int value) {
            maxPkeys = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#localCaAckDelay()} set}
         *
         * @param value the value
         */
        public Builder localCaAckDelay(int value) {
            localCaAckDelay = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#portCount()} set}
         *
         * @param value the value
         */
        public Builder portCount(int value) {
            portCount = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#completionVectors()} set}
         *
         * @param value the value
         */
        public Builder completionVectors(int value) {
            completionVectors = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#nodeType()} set}
         *
         * @param value the value
         */
        public Builder nodeType(NodeType value) {
            nodeType = Objects.requireNonNull(value, "nodeType");
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#transportType()} set}
         *
         * @param value the value
         */
        public Builder transportType(TransportType value) {
            transportType = Objects.requireNonNull(value, "transportType");
            return this;
        }

        /** {@return the attributes} */
        public DeviceAttributes build() {
            return new DeviceAttributes(fwVersion, nodeGuid, systemImageGuid, maxMrSize, pageSizeCap, vendorId,
                    vendorPartId, hwVersion, maxQp, maxQpWr, deviceCapFlags, maxSge, maxSgeRd, maxCq, maxCqe, maxMr,
                    maxPd, maxQpRdAtom, maxResRdAtom, maxQpInitRdAtom, atomicCapability, maxMw, maxMcastGroups,
                    maxMcastQpAttach, maxTotalMcastQpAttach, maxAh, maxSrq, maxSrqWr, maxSrqSge, maxPkeys,
                    localCaAckDelay, portCount, completionVectors, nodeType, transportType);
        }
    }
}
