package io.jverbs;

import java.util.Objects;

/**
 * The attributes and limits of a device: {@code struct ibv_device_attr}, and the node and transport type of {@code
 * struct ibv_device}. See ibv_query_device(3) and ibv_get_device_list(3). Immutable; constant for the lifetime of the
 * device.
 *
 * <p>
 * Limits apply to the device as a whole. Other programs can use up its resources, and the device can reject a
 * combination of large values.
 *
 * @param fwVersion the version of the firmware or of the software device
 * @param nodeGuid the node GUID, in host byte order
 * @param systemImageGuid the system image GUID, in host byte order
 * @param maxMrSize the maximum size of a memory region in bytes, unsigned
 * @param pageSizeCap the page sizes that the device supports, as a bit mask
 * @param vendorId the vendor ID, an IEEE OUI
 * @param vendorPartId the part ID that the vendor assigned
 * @param hwVersion the hardware version that the vendor assigned
 * @param maxQp the maximum number of queue pairs
 * @param maxQpWr the maximum number of outstanding requests in a work queue
 * @param deviceCapFlags the capabilities of the device, {@code enum ibv_device_cap_flags}
 * @param maxSge the maximum number of scatter/gather elements of a request
 * @param maxSgeRd the maximum number of scatter/gather elements of an RDMA READ
 * @param maxCq the maximum number of completion queues
 * @param maxCqe the maximum number of entries in a completion queue
 * @param maxMr the maximum number of memory regions
 * @param maxPd the maximum number of protection domains
 * @param maxQpRdAtom the maximum number of outstanding READ and atomic operations per queue pair as responder: the
 *        limit of {@link QpAttribute#MAX_DEST_RD_ATOMIC}
 * @param maxResRdAtom the maximum number of outstanding READ and atomic operations of the device as responder
 * @param maxQpInitRdAtom the maximum number of outstanding READ and atomic operations per queue pair as initiator: the
 *        limit of {@link QpAttribute#MAX_QP_RD_ATOMIC}
 * @param atomicCapability the scope in which atomic operations are atomic
 * @param maxMw the maximum number of memory windows
 * @param maxMcastGroups the maximum number of multicast groups
 * @param maxMcastQpAttach the maximum number of queue pairs per multicast group
 * @param maxTotalMcastQpAttach the maximum number of multicast attachments, over all groups
 * @param maxAh the maximum number of address handles
 * @param maxSrq the maximum number of shared receive queues
 * @param maxSrqWr the maximum number of outstanding requests in a shared receive queue
 * @param maxSrqSge the maximum number of scatter/gather elements of a request in a shared receive queue
 * @param maxPkeys the maximum number of partition keys of a port
 * @param localCaAckDelay the maximum time from the arrival of a packet to its acknowledgement: 4.096 us * 2^n, n from 0
 *        to 31
 * @param portCount the number of physical ports; port numbers start at 1
 * @param completionVectors the number of completion vectors; they are numbered from 0
 * @param nodeType the node type
 * @param transportType the transport
 */
public record DeviceAttributes(
        String fwVersion, long nodeGuid, long systemImageGuid, long maxMrSize, long pageSizeCap, int vendorId,
        int vendorPartId, int hwVersion, int maxQp, int maxQpWr, long deviceCapFlags, int maxSge, int maxSgeRd,
        int maxCq, int maxCqe, int maxMr, int maxPd, int maxQpRdAtom, int maxResRdAtom, int maxQpInitRdAtom,
        AtomicCapability atomicCapability, int maxMw, int maxMcastGroups, int maxMcastQpAttach,
        int maxTotalMcastQpAttach, int maxAh, int maxSrq, int maxSrqWr, int maxSrqSge, int maxPkeys,
        int localCaAckDelay, int portCount, int completionVectors, NodeType nodeType, TransportType transportType) {

    /** Creates attributes. Throws {@link NullPointerException} if a component is null. */
    public DeviceAttributes {
        Objects.requireNonNull(fwVersion, "fwVersion");
        Objects.requireNonNull(atomicCapability, "atomicCapability");
        Objects.requireNonNull(nodeType, "nodeType");
        Objects.requireNonNull(transportType, "transportType");
    }

    /**
     * {@return a builder with one port, one completion vector, node type CA, transport IB, and empty, NONE or 0 for all
     * other attributes}
     */
    public static Builder builder() {
        return new Builder(new DeviceAttributeValues());
    }

    /** {@return a builder initialized with these attributes} */
    public Builder toBuilder() {
        return new Builder(new DeviceAttributeValues(this));
    }

    /** A builder of {@link DeviceAttributes}. Not thread-safe. */
    public static final class Builder {
        private final DeviceAttributeValues values;

        private Builder(DeviceAttributeValues values) {
            this.values = values;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#fwVersion()} set}
         *
         * @param value the value
         */
        public Builder fwVersion(String value) {
            values.fwVersion = Objects.requireNonNull(value, "fwVersion");
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#nodeGuid()} set}
         *
         * @param value the value
         */
        public Builder nodeGuid(long value) {
            values.nodeGuid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#systemImageGuid()} set}
         *
         * @param value the value
         */
        public Builder systemImageGuid(long value) {
            values.systemImageGuid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMrSize()} set}
         *
         * @param value the value
         */
        public Builder maxMrSize(long value) {
            values.maxMrSize = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#pageSizeCap()} set}
         *
         * @param value the value
         */
        public Builder pageSizeCap(long value) {
            values.pageSizeCap = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#vendorId()} set}
         *
         * @param value the value
         */
        public Builder vendorId(int value) {
            values.vendorId = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#vendorPartId()} set}
         *
         * @param value the value
         */
        public Builder vendorPartId(int value) {
            values.vendorPartId = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#hwVersion()} set}
         *
         * @param value the value
         */
        public Builder hwVersion(int value) {
            values.hwVersion = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQp()} set}
         *
         * @param value the value
         */
        public Builder maxQp(int value) {
            values.maxQp = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQpWr()} set}
         *
         * @param value the value
         */
        public Builder maxQpWr(int value) {
            values.maxQpWr = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#deviceCapFlags()} set}
         *
         * @param value the value
         */
        public Builder deviceCapFlags(long value) {
            values.deviceCapFlags = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSge()} set}
         *
         * @param value the value
         */
        public Builder maxSge(int value) {
            values.maxSge = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSgeRd()} set}
         *
         * @param value the value
         */
        public Builder maxSgeRd(int value) {
            values.maxSgeRd = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxCq()} set}
         *
         * @param value the value
         */
        public Builder maxCq(int value) {
            values.maxCq = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxCqe()} set}
         *
         * @param value the value
         */
        public Builder maxCqe(int value) {
            values.maxCqe = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMr()} set}
         *
         * @param value the value
         */
        public Builder maxMr(int value) {
            values.maxMr = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxPd()} set}
         *
         * @param value the value
         */
        public Builder maxPd(int value) {
            values.maxPd = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQpRdAtom()} set}
         *
         * @param value the value
         */
        public Builder maxQpRdAtom(int value) {
            values.maxQpRdAtom = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxResRdAtom()} set}
         *
         * @param value the value
         */
        public Builder maxResRdAtom(int value) {
            values.maxResRdAtom = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxQpInitRdAtom()} set}
         *
         * @param value the value
         */
        public Builder maxQpInitRdAtom(int value) {
            values.maxQpInitRdAtom = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#atomicCapability()} set}
         *
         * @param value the value
         */
        public Builder atomicCapability(AtomicCapability value) {
            values.atomicCapability = Objects.requireNonNull(value, "atomicCapability");
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMw()} set}
         *
         * @param value the value
         */
        public Builder maxMw(int value) {
            values.maxMw = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMcastGroups()} set}
         *
         * @param value the value
         */
        public Builder maxMcastGroups(int value) {
            values.maxMcastGroups = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxMcastQpAttach()} set}
         *
         * @param value the value
         */
        public Builder maxMcastQpAttach(int value) {
            values.maxMcastQpAttach = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxTotalMcastQpAttach()} set}
         *
         * @param value the value
         */
        public Builder maxTotalMcastQpAttach(int value) {
            values.maxTotalMcastQpAttach = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxAh()} set}
         *
         * @param value the value
         */
        public Builder maxAh(int value) {
            values.maxAh = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSrq()} set}
         *
         * @param value the value
         */
        public Builder maxSrq(int value) {
            values.maxSrq = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSrqWr()} set}
         *
         * @param value the value
         */
        public Builder maxSrqWr(int value) {
            values.maxSrqWr = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxSrqSge()} set}
         *
         * @param value the value
         */
        public Builder maxSrqSge(int value) {
            values.maxSrqSge = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#maxPkeys()} set}
         *
         * @param value the value
         */
        public Builder maxPkeys(int value) {
            values.maxPkeys = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#localCaAckDelay()} set}
         *
         * @param value the value
         */
        public Builder localCaAckDelay(int value) {
            values.localCaAckDelay = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#portCount()} set}
         *
         * @param value the value
         */
        public Builder portCount(int value) {
            values.portCount = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#completionVectors()} set}
         *
         * @param value the value
         */
        public Builder completionVectors(int value) {
            values.completionVectors = value;
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#nodeType()} set}
         *
         * @param value the value
         */
        public Builder nodeType(NodeType value) {
            values.nodeType = Objects.requireNonNull(value, "nodeType");
            return this;
        }

        /**
         * {@return this builder, with {@link DeviceAttributes#transportType()} set}
         *
         * @param value the value
         */
        public Builder transportType(TransportType value) {
            values.transportType = Objects.requireNonNull(value, "transportType");
            return this;
        }

        /** {@return attributes with the values of this builder} */
        public DeviceAttributes build() {
            return values.attributes();
        }
    }
}
