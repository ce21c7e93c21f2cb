package io.jverbs.contract.end;

import io.jverbs.QpState;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.end.Infos.QpInfo;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The connection manager. */
public interface CmCommands {

    /**
     * An event. IDs are ids of the end, or {@link End#NONE}; the id of the event itself is for {@link #ackCmEvent}.
     */
    record CmEventInfo(int event, CmEventType type, int id, int listener, int status, byte[] privateData,
            int responderResources, int initiatorDepth, int retryCount, int rnrRetryCount, int qpNumber, int qkey,
            io.jverbs.AhAttributes address) implements Serializable {}

    /** What an ID knows of its addresses. */
    record CmIdInfo(InetSocketAddress local, InetSocketAddress peer, int port) implements Serializable {}

    /**
     * The parameters of a connect or an accept.
     *
     * @param qpNumber the number of a queue pair that is not the ID's own; 0 for none
     */
    record CmParams(byte[] privateData, int responderResources, int initiatorDepth, int retryCount, int rnrRetryCount,
            int qpNumber) implements Serializable {
        public static final CmParams DEFAULT = new CmParams(new byte[0], 255, 255, 7, 7, 0);

        public CmParams data(byte[] data) {
            return new CmParams(data, responderResources, initiatorDepth, retryCount, rnrRetryCount, qpNumber);
        }

        public CmParams reads(int resources, int depth) {
            return new CmParams(privateData, resources, depth, retryCount, rnrRetryCount, qpNumber);
        }

        public CmParams retries(int retries, int rnrRetries) {
            return new CmParams(privateData, responderResources, initiatorDepth, retries, rnrRetries, qpNumber);
        }

        public CmParams qp(int number) {
            return new CmParams(privateData, responderResources, initiatorDepth, retryCount, rnrRetryCount, number);
        }
    }

    /** Options of an ID. */
    enum CmOption {
        TOS, REUSE_ADDRESS, FAMILY_ONLY, ACK_TIMEOUT
    }

    int createCmChannel(int context);

    int createCmId(int channel, PortSpace portSpace);

    /** Waits for the next event. Returns null on timeout. A timeout of 0 only polls. */
    CmEventInfo awaitCmEvent(int channel, long millis);

    void ackCmEvent(int event);

    void cmBind(int id, InetSocketAddress address);

    void cmResolveAddress(int id, InetSocketAddress source, InetSocketAddress destination, long millis);

    void cmResolveRoute(int id, long millis);

    /** Creates the queue pair of an ID. */
    QpInfo cmCreateQp(int id, QpSpec spec);

    void cmListen(int id, int backlog);

    void cmConnect(int id, CmParams parameters);

    void cmAccept(int id, CmParams parameters);

    void cmReject(int id, byte[] privateData);

    void cmEstablish(int id);

    /** Reports COMM_EST. */
    void cmNotify(int id);

    void cmDisconnect(int id);

    QpAttr cmQpAttributes(int id, QpState state);

    void cmJoin(int id, InetAddress group, boolean sendOnly);

    void cmLeave(int id, InetAddress group);

    void cmOption(int id, CmOption option, int value);

    void cmMigrate(int id, int channel);

    CmIdInfo cmInfo(int id);
}
