package io.jverbs.soft.management;

import io.jverbs.soft.management.communication.CmConnection;
import io.jverbs.soft.management.communication.CmDurations;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.IpCmHeader;
import io.jverbs.soft.management.message.PathFields;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.spi.CmParameters;

/**
 * Makes the REQ and the REP of a device from the parameters of the program, with the values that Linux uses for the
 * rest. Immutable.
 *
 * @param port the port of the device
 */
record ConnectMessages(CmPort port) {
    private static final int LID = 0xFFFF;
    private static final int HOP_LIMIT = 64;
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final int ACK_DELAY = 15;
    private static final int MAX_RETRY_COUNT = 7;
    private static final int FLOW_LABEL_MASK = 0xFFFFF;
    private static final int FLOW_LABEL_FACTOR = 31;
    private static final int PORT_SPACE_SHIFT = 16;

    /** The service ID of a port. */
    static long serviceId(int portSpace, int port) {
        return (long) portSpace << PORT_SPACE_SHIFT | port;
    }

    /** Makes the header that precedes the program's private data. */
    IpCmHeader header(SoftCmId id, CmPath ends) {
        return new IpCmHeader(ends.local().toInetAddress(), id.local().getPort(), ends.remote().toInetAddress());
    }

    /** Makes a REQ. */
    ConnectRequest request(int commId, SoftCmId id, CmPath ends, Ece ece, CmParameters parameters) {
        int flowLabel = id.local().getPort() * FLOW_LABEL_FACTOR + id.remote().getPort() & FLOW_LABEL_MASK;
        PathFields path = new PathFields(LID, LID, ends.local(), ends.remote(), flowLabel, 0,
                id.options().typeOfService(), HOP_LIMIT, 0, false,
                CmDurations.ackTimeout(ACK_DELAY, id.options().lifeTime()));
        PrivateData data = header(id, ends).before(parameters.privateData());
        return new ConnectRequest(commId, serviceId(id.type().portSpace(), id.remote().getPort()), port.caGuid(), 0,
                parameters.qpNumber(), parameters.responderResources(), parameters.initiatorDepth(),
                CmDurations.RESPONSE_TIMEOUT, id.type().transport(), parameters.flowControl(), id.startingPsn(),
                CmDurations.RESPONSE_TIMEOUT, Math.min(parameters.retryCount(), MAX_RETRY_COUNT), DEFAULT_PKEY,
                port.pathMtu().code(), Math.min(parameters.rnrRetryCount(), MAX_RETRY_COUNT), CmDurations.MAX_RETRIES,
                parameters.srq(), 0, path, PathFields.NONE, ece, data);
    }

    /** Makes a REP. */
    ConnectReply reply(CmConnection connection, int startingPsn, Ece ece, CmParameters parameters) {
        return new ConnectReply(connection.localCommId(), connection.remoteCommId(), 0, parameters.qpNumber(),
                startingPsn, parameters.responderResources(), parameters.initiatorDepth(), ACK_DELAY, 0,
                parameters.flowControl(), Math.min(parameters.rnrRetryCount(), MAX_RETRY_COUNT), parameters.srq(),
                port.caGuid(), ece, PrivateData.of(parameters.privateData()));
    }
}
