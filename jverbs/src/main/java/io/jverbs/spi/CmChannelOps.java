package io.jverbs.spi;

/**
 * An event channel of the connection manager; see rdma_create_event_channel(3). Any thread may call any method.
 */
public interface CmChannelOps extends Handle {

    /**
     * Creates an ID whose events this channel gets; see rdma_create_id(3).
     *
     * @param portSpace the number of the port space, {@code enum rdma_port_space}
     * @param qpType the number of the type of its queue pair, {@code enum ibv_qp_type}
     * @param owner the API object, which {@link CmIdOps#owner} returns
     * @return the ID
     * @throws io.jverbs.VerbsException with EINVAL if the device does not support the port space or the type
     */
    CmIdOps createId(int portSpace, int qpType, Object owner);

    /**
     * Waits for an event, and removes it from the channel; see rdma_get_cm_event(3). The call blocks the calling
     * thread, but not the carrier of a virtual thread. It may come after {@link #close} and then returns null.
     *
     * @param nanos how long to wait, in nanoseconds of the clock {@link ProviderDevice#nanoTime}; 0 does not wait
     * @return the event; null if the time has passed, the channel was closed, or {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    CmEventData await(long nanos) throws InterruptedException;

    /**
     * Ends a wait for an event early: one thread that waits returns null; if none waits, the next wait returns null at
     * once.
     */
    void wake();

    /**
     * Closes the channel; see rdma_destroy_event_channel(3). It destroys the IDs that are left. Threads that wait
     * return null. A repeated call has no effect.
     */
    void close();
}
