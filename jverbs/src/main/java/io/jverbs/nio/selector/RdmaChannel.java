package io.jverbs.nio.selector;

import java.nio.channels.SelectableChannel;

/** A channel of this provider, as a selector sees it. Thread-safe. */
public interface RdmaChannel {
    /**
     * {@return the operations that are ready now on RDMA, and may go beyond the interest} Processes what has completed,
     * and does not wait.
     *
     * @param interest the operations that matter
     */
    int readyOps(int interest);

    /**
     * Requests that the keys of this channel are notified once when an operation is ready on RDMA that is not ready
     * yet.
     *
     * @param interest the operations of all keys
     */
    void requestNotification(int interest);

    /** {@return the channel of the JDK whose operations are this channel's, too; null if there is none, or none yet} */
    SelectableChannel jdkChannel();

    /** {@return the keys of this channel} */
    ChannelKeys keys();
}
