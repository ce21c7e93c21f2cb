package io.jverbs;

/** The values of a {@link DeviceAttributes.Builder}; without changes, the defaults. */
final class DeviceAttributeValues {
    String fwVersion = "";
    long nodeGuid;
    long systemImageGuid;
    long maxMrSize;
    long pageSizeCap;
    int vendorId;
    int vendorPartId;
    int hwVersion;
    int maxQp;
    int maxQpWr;
    long deviceCapFlags;
    int maxSge;
    int maxSgeRd;
    int maxCq;
    int maxCqe;
    int maxMr;
    int maxPd;
    int maxQpRdAtom;
    int maxResRdAtom;
    int maxQpInitRdAtom;
    AtomicCapability atomicCapability = AtomicCapability.NONE;
    int maxMw;
    int maxMcastGroups;
    int maxMcastQpAttach;
    int maxTotalMcastQpAttach;
    int maxAh;
    int maxSrq;
    int maxSrqWr;
    int maxSrqSge;
    int maxPkeys;
    int localCaAckDelay;
    int portCount = 1;
    int completionVectors = 1;
    NodeType nodeType = NodeType.CA;
    TransportType transportType = TransportType.IB;

    /** Creates the default values. */
    DeviceAttributeValues() {}

    /** Creates a copy of the values of a device. */
    DeviceAttributeValues(DeviceAttributes from) {
        fwVersion = from.fwVersion();
        nodeGuid = from.nodeGuid();
        systemImageGuid = from.systemImageGuid();
        maxMrSize = from.maxMrSize();
        pageSizeCap = from.pageSizeCap();
        vendorId = from.vendorId();
        vendorPartId = from.vendorPartId();
        hwVersion = from.hwVersion();
        maxQp = from.maxQp();
        maxQpWr = from.maxQpWr();
        deviceCapFlags = from.deviceCapFlags();
        maxSge = from.maxSge();
        maxSgeRd = from.maxSgeRd();
        maxCq = from.maxCq();
        maxCqe = from.maxCqe();
        maxMr = from.maxMr();
        maxPd = from.maxPd();
        maxQpRdAtom = from.maxQpRdAtom();
        maxResRdAtom = from.maxResRdAtom();
        maxQpInitRdAtom = from.maxQpInitRdAtom();
        atomicCapability = from.atomicCapability();
        maxMw = from.maxMw();
        maxMcastGroups = from.maxMcastGroups();
        maxMcastQpAttach = from.maxMcastQpAttach();
        maxTotalMcastQpAttach = from.maxTotalMcastQpAttach();
        maxAh = from.maxAh();
        maxSrq = from.maxSrq();
        maxSrqWr = from.maxSrqWr();
        maxSrqSge = from.maxSrqSge();
        maxPkeys = from.maxPkeys();
        localCaAckDelay = from.localCaAckDelay();
        portCount = from.portCount();
        completionVectors = from.completionVectors();
        nodeType = from.nodeType();
        transportType = from.transportType();
    }

    /** Returns attributes with these values. */
    DeviceAttributes attributes() {
        return new DeviceAttributes(fwVersion, nodeGuid, systemImageGuid, maxMrSize, pageSizeCap, vendorId,
                vendorPartId, hwVersion, maxQp, maxQpWr, deviceCapFlags, maxSge, maxSgeRd, maxCq, maxCqe, maxMr,
                maxPd, maxQpRdAtom, maxResRdAtom, maxQpInitRdAtom, atomicCapability, maxMw, maxMcastGroups,
                maxMcastQpAttach, maxTotalMcastQpAttach, maxAh, maxSrq, maxSrqWr, maxSrqSge, maxPkeys,
                localCaAckDelay, portCount, completionVectors, nodeType, transportType);
    }
}
