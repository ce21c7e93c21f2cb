package io.jverbs.soft.management;

import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.IpCmHeader;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import io.jverbs.spi.CmParameters;
import java.util.Arrays;

/**
 * The parameters in events: what the peer has sent, from the point of view of this side. The number of READs that the
 * peer has in flight is the number that this side executes at a time.
 */
final class CmEventParameters {

    private CmEventParameters() {}

    static CmParameters of(ConnectRequest request) {
        byte[] data = request.privateData().toBytes();
        return new CmParameters(Arrays.copyOfRange(data, IpCmHeader.BYTES, data.length), request.initiatorDepth(),
                request.responderResources(), request.flowControl(), request.retryCount(), request.rnrRetryCount(),
                request.srq(), request.qpn(), request.qkey());
    }

    static CmParameters of(ConnectReply reply) {
        return new CmParameters(reply.privateData().toBytes(), reply.initiatorDepth(), reply.responderResources(),
                reply.flowControl(), 0, reply.rnrRetryCount(), reply.srq(), reply.qpn(), reply.qkey());
    }

    static CmParameters of(ConnectReject reject) {
        return new CmParameters(reject.privateData().toBytes(), 0, 0, false, 0, 0, false, 0, 0);
    }

    static CmParameters of(SidrRequest request) {
        byte[] data = request.privateData().toBytes();
        return new CmParameters(Arrays.copyOfRange(data, IpCmHeader.BYTES, data.length), 0, 0, false, 0, 0, false, 0,
                0);
    }

    static CmParameters of(SidrReply reply) {
        return new CmParameters(reply.privateData().toBytes(), 0, 0, false, 0, 0, false, reply.qpn(), reply.qkey());
    }
}
