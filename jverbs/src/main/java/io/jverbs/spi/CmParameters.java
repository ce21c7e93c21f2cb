package io.jverbs.spi;

import io.jverbs.Errno;
import io.jverbs.VerbsException;

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
        int retryCount, int rnrRetryCount, boolean srq, int qpNumber, int qkey) {

    /**
     * Throws EINVAL if these parameters name no queue pair. A device calls this after it has checked the state of the
     * ID, so that a program that calls too early learns that.
     *
     * @param operation the verb, for the message
     */
    public void requireQueuePair(String operation) {
        if (qpNumber == 0) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "the ID has no queue pair: create it, or give its number with ConnectionParameters.queuePair");
        }
    }
}
