package io.jverbs.spi;

/**
 * The parameters of a connect or an accept, or of the peer, {@code struct rdma_conn_param}; see rdma_connect(3) and
 * rdma_accept(3). Neither side changes the array.
 *
 * @param privateData the private data, maybe empty
 * @param responderResources the number of READs and atomics of the peer that the queue pair executes at a time, 0 to
 *            255
 * @param initiatorDepth the number of READs and atomics that the queue pair has in flight, 0 to 255
 * @param flowControl whether the device has end-to-end flow control
 * @param retryCount the retry count, 0 to 7
 * @param rnrRetryCount the RNR retry count, 0 to 7
 * @param srq whether the queue pair uses a shared receive queue
 * @param qpNumber the number of the queue pair, 24 bits
 * @param qkey the Q_Key of a UD queue pair, otherwise 0
 */
public record CmParameters(byte[] privateData, int responderResources, int initiatorDepth, boolean flowControl,
        int retryCount, int rnrRetryCount, boolean srq, int qpNumber, int qkey) {}
