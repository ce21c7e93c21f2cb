package io.jverbs.spi;

import io.jverbs.Gid;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import java.net.InetSocketAddress;

/**
 * A CM ID as the kernel has it (see {@code rdma_user_cm.h} of Linux): it has no queue pair. The API creates the queue
 * pair, moves it to its states with {@link #qpAttributes}, and calls {@link #establish}.
 *
 * <p>
 * Any thread may call any method. After {@link #destroy}, all methods but {@code destroy}, {@link #isLogged} and {@link
 * #owner()} throw {@link io.jverbs.VerbsException} with EINVAL.
 *
 * <p>
 * A method that fails throws {@link io.jverbs.VerbsException} and changes nothing: with EINVAL in a state in which it
 * is not allowed, and for private data that is too long. The message names the state, or the length and the limit.
 * What takes time is reported by an event.
 */
public interface CmIdOps {

    /**
     * What is known of the addresses and the path of an ID.
     *
     * @param local the address that the ID is bound to, null if none
     * @param remote the address of the peer, null if none
     * @param device the name of the device, null if the ID is not bound to a device
     * @param port the number of the port, 0 if the ID is not bound to a device
     * @param localGid the GID of the port, null if the path is not resolved
     * @param remoteGid the GID of the peer, null if the path is not resolved
     */
    record Route(InetSocketAddress local, InetSocketAddress remote, String device, int port, Gid localGid,
            Gid remoteGid) {}

    /**
     * The options of enhanced connection establishment, {@code struct ibv_ece}; see rdma_set_local_ece(3).
     *
     * @param vendorId the vendor of the options, 24 bits; 0 for none
     * @param options the options of the vendor, 32 bits
     */
    record Ece(int vendorId, int options) {
        /** No options. */
        public static final Ece NONE = new Ece(0, 0);
    }

    /** {@return the API object of this ID} */
    Object owner();

    /**
     * Sets the API object of an ID that a connect request has created.
     *
     * @param owner is returned by {@link #owner}
     */
    void owner(Object owner);

    /**
     * Binds the ID to an address and a port; see rdma_bind_addr(3).
     *
     * @param address the address, wildcard or local, and the port, 0 for any free port
     */
    void bind(InetSocketAddress address);

    /**
     * Resolves an address; see rdma_resolve_addr(3).
     *
     * @param source the local address, null for any
     * @param destination the address of the peer
     * @param nanos the maximum time
     */
    void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long nanos);

    /**
     * Resolves the route to the resolved address; see rdma_resolve_route(3).
     *
     * @param nanos the maximum time
     */
    void resolveRoute(long nanos);

    /**
     * Listens; see rdma_listen(3).
     *
     * @param backlog the number of connect requests that may wait in the channel
     */
    void listen(int backlog);

    /**
     * Connects; see rdma_connect(3).
     *
     * @param parameters the parameters
     */
    void connect(CmParameters parameters);

    /**
     * Accepts a connect request; see rdma_accept(3).
     *
     * @param parameters the parameters
     */
    void accept(CmParameters parameters);

    /**
     * Throws what {@link #accept} would throw because of the state or the length of the private data. The API calls it
     * before it moves the queue pair.
     *
     * @param parameters the parameters
     */
    void checkAccept(CmParameters parameters);

    /**
     * Rejects a connect request or a connect response; see rdma_reject(3).
     *
     * @param reason the reason, 28 or 35
     * @param privateData the private data that the peer gets
     */
    void reject(int reason, byte[] privateData);

    /** Completes a connection after a connect response; see rdma_establish(3). */
    void establish();

    /**
     * Reports an asynchronous event of the queue pair; see rdma_notify(3).
     *
     * @param event the number of the event, {@code enum ibv_event_type}
     */
    void notify(int event);

    /** Throws what {@link #disconnect} would throw because of the state. The API moves the queue pair after it. */
    void checkDisconnect();

    /** Ends the connection; see rdma_disconnect(3). */
    void disconnect();

    /**
     * Returns the attributes with which the queue pair is moved to a state; see rdma_init_qp_attr(3).
     *
     * @param state INIT, RTR or RTS
     * @return the attributes
     */
    QpAttributes qpAttributes(QpState state);

    /**
     * Joins a multicast group; see rdma_join_multicast(3).
     *
     * @param group the address of the group
     * @param sendOnly whether the ID only sends to the group
     * @param context is returned in the event
     */
    void join(InetSocketAddress group, boolean sendOnly, Object context);

    /**
     * Ends the latest membership in a multicast group; see rdma_leave_multicast(3).
     *
     * @param group the address of the group
     * @return the context that was given to {@link #join}
     */
    Object leave(InetSocketAddress group);

    /**
     * Sets an option; see rdma_set_option(3).
     *
     * @param option the number of the option of level {@code RDMA_OPTION_ID}
     * @param value its value
     */
    void option(int option, int value);

    /**
     * Sets the options of enhanced connection establishment that the next connect or accept sends; see
     * rdma_set_local_ece(3).
     *
     * @param ece the options
     */
    void localEce(Ece ece);

    /** {@return the options that the peer has sent, or {@link Ece#NONE}; see rdma_get_remote_ece(3)} */
    Ece remoteEce();

    /**
     * Queues an event of type {@code RDMA_CM_EVENT_USER}, 18, of the ID; see rdma_write_cm_event(3).
     *
     * @param status the status of the event
     * @param argument the context of the event, as a {@link Long}
     */
    void postUserEvent(int status, long argument);

    /**
     * Moves the ID, and its events that were not retrieved, to another channel; see rdma_migrate_id(3).
     *
     * @param channel a channel of the same context
     * @return the number of events that were retrieved from the former channel
     */
    int migrate(CmChannelOps channel);

    /** {@return what is known of the addresses and the path; see rdma_get_local_addr(3)} */
    Route route();

    /**
     * Destroys the ID; see rdma_destroy_id(3). Events that were not retrieved are discarded.
     * The connection ends: the peer gets a REJ or a DREQ. A repeated call has no effect.
     *
     * @return the number of events that were retrieved
     */
    int destroy();

    /** {@return whether a layer has logged, in {@link #destroy}, that the program has not acknowledged all events} */
    default boolean isLogged() {
        return false;
    }
}
