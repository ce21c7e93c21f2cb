package io.jverbs;

/** Checks the ranges of the attributes of a modify; see {@link QpTransitions#checkRanges}. */
final class QpAttributeRanges {
    private static final QpAttribute[] ALL = QpAttribute.values();
    private static final int MAX_QPN = 0xff_ffff;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_RETRIES = 7;
    private static final int MAX_RNR_TIMER = 31;

    private final String operation;
    private final QpAttributes attributes;
    private final DeviceAttributes device;
    private final PortAttributes port;

    QpAttributeRanges(String operation, QpAttributes attributes, DeviceAttributes device, PortAttributes port) {
        this.operation = operation;
        this.attributes = attributes;
        this.device = device;
        this.port = port;
    }

    void check() {
        for (QpAttribute attribute : ALL) {
            if (attributes.present(attribute)) {
                check(attribute);
            }
        }
    }

    private void check(QpAttribute attribute) {
        switch (attribute) {
            case PORT -> range("port", attributes.port(), 1, device.portCount());
            case PKEY_INDEX -> range("pkeyIndex", attributes.pkeyIndex(), 0, port.pkeyTableLength() - 1L);
            case ACCESS_FLAGS -> checkAccess(attributes.accessFlags());
            case PATH_MTU -> range("pathMtu", attributes.rawPathMtu(), Mtu.MTU_256.code(), largestMtu());
            case DEST_QPN -> range("destinationQpn", Integer.toUnsignedLong(attributes.destinationQpn()), 0, MAX_QPN);
            case TIMEOUT -> range("timeout", attributes.timeout(), 0, MAX_TIMEOUT);
            case RETRY_CNT -> range("retryCount", attributes.retryCount(), 0, MAX_RETRIES);
            case RNR_RETRY -> range("rnrRetry", attributes.rnrRetry(), 0, MAX_RETRIES);
            case MIN_RNR_TIMER -> range("minRnrTimer", attributes.minRnrTimer(), 0, MAX_RNR_TIMER);
            case MAX_QP_RD_ATOMIC -> range("maxRdAtomic", attributes.maxRdAtomic(), 0, device.maxQpInitRdAtom());
            case MAX_DEST_RD_ATOMIC -> range("maxDestRdAtomic", attributes.maxDestRdAtomic(), 0, device.maxQpRdAtom());
            case PATH_MIG_STATE -> range("pathMigrationState", attributes.pathMigrationState().code(),
                    PathMigrationState.MIGRATED.code(), PathMigrationState.ARMED.code());
            case AV -> attributes.addressVector().checkRanges(operation, device, port);
            case ALT_PATH -> attributes.alternatePath().checkRanges(operation, device, port);
            // any value is legal, or devices mask the value, or QpTransitions.check has checked it
            case QKEY, RQ_PSN, SQ_PSN, EN_SQD_ASYNC_NOTIFY, STATE, CUR_STATE, CAP -> {
            }
        }
    }

    /** Returns the code of the active MTU, which is the limit; MTU_4096 if the port reports no valid active MTU. */
    private int largestMtu() {
        return port.activeMtu() == Mtu.UNKNOWN ? Mtu.MTU_4096.code() : port.activeMtu().code();
    }

    private void checkAccess(int flags) {
        int undefined = Access.undefinedBits(flags);
        if (undefined != 0) {
            throw new VerbsException(operation, Errno.EINVAL, "accessFlags " + Access.toString(flags)
                    + " has undefined bits: " + Access.toString(undefined));
        }
    }

    private void range(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw VerbsException.outOfRange(operation, name, value, min, max);
        }
    }
}
