package io.jverbs.cm;

import io.jverbs.DeviceAttributes;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmParameters;

/**
 * Checks the numbers of READs and atomics, and replaces {@link ConnectionParameters#MAXIMUM} by what the device
 * supports and the peer offers.
 */
final class ParameterLimits {

    private ParameterLimits() {}

    static CmParameters toConnect(CmId id, ConnectionParameters given) {
        return limited("connect", id, given, null);
    }

    /** @param offered what the peer offers; null if there was no connect request */
    static CmParameters toAccept(CmId id, ConnectionParameters given, CmParameters offered) {
        return limited("accept", id, given, offered);
    }

    private static CmParameters limited(String operation, CmId id, ConnectionParameters given, CmParameters offered) {
        boolean isWithoutQueuePair = id.queuePair() == null && given.qpNumber() == 0;
        if (id.qpType() == QpType.UD || isWithoutQueuePair) {
            // the device refuses a connection without a queue pair, and first one in a wrong state
            return given.forDevice(id.queuePair(), 0, 0);
        }
        DeviceAttributes device = id.context().queryDevice();
        int offeredResources = offered == null ? ConnectionParameters.MAXIMUM : offered.responderResources();
        int offeredDepth = offered == null ? ConnectionParameters.MAXIMUM : offered.initiatorDepth();
        return given.forDevice(id.queuePair(),
                limit(operation, "responderResources", given.responderResources(), device.maxQpRdAtom(),
                        offeredResources),
                limit(operation, "initiatorDepth", given.initiatorDepth(), device.maxQpInitRdAtom(), offeredDepth));
    }

    private static int limit(String operation, String name, int value, int max, int offered) {
        if (value == ConnectionParameters.MAXIMUM) {
            return Math.min(Math.min(max, offered), ConnectionParameters.MAXIMUM);
        }
        if (value > max) {
            throw VerbsException.outOfRange(operation, name, value, 0, max);
        }
        return value;
    }
}
