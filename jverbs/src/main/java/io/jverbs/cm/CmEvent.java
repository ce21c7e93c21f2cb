package io.jverbs.cm;

import io.jverbs.AhAttributes;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmParameters;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An event of the connection manager, {@code struct rdma_cm_event}; see rdma_get_cm_event(3).
 *
 * <p>
 * Every event must be acknowledged, with {@link #acknowledge} or {@link #close}: closing the ID that it concerns waits
 * until all of its events are acknowledged. Values can be read after that too. This class is thread-safe.
 *
 * {@snippet :
 * try (CmEvent event = channel.awaitEvent(Duration.ofSeconds(2))) {
 *     if (event != null && event.type() == CmEventType.CONNECT_REQUEST) {
 *         CmId id = event.id();
 *         id.createQueuePair(pd, attributes);
 *         id.accept(ConnectionParameters.DEFAULT);
 *     }
 * }
 * }
 */
public final class CmEvent implements AutoCloseable {
    private static final CmParameters NONE = new CmParameters(new byte[0], 0, 0, false, 0, 0, false, 0, 0);

    private final CmEventType type;
    private final int rawType;
    private final CmId id;
    private final CmId listener;
    private final int status;
    /** Why a step for the queue pair failed, which has made this event; otherwise null. */
    private final Throwable cause;
    private final CmParameters parameters;
    private final AhAttributes address;
    private final Object context;
    private final long userArgument;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    CmEvent(CmEventType type, CmId id, CmId listener, int status, CmEventData data) {
        this(type, id, listener, status, data, null);
    }

    private CmEvent(CmEventType type, CmId id, CmId listener, int status, CmEventData data, Throwable cause) {
        this.cause = cause;
        this.type = type;
        this.rawType = type == CmEventType.UNKNOWN ? data.type() : type.code();
        this.id = id;
        this.listener = listener;
        this.status = status;
        this.parameters = data.parameters() == null ? NONE : data.parameters();
        this.address = data.address();
        this.context = data.context() instanceof JoinContext join ? join.context() : null;
        this.userArgument = data.context() instanceof Long argument ? argument : 0;
    }

    /** Returns the event that says that a step for the queue pair has failed. */
    static CmEvent failed(CmEventType type, CmId id, CmEventData data, Throwable cause) {
        return new CmEvent(type, id, null, CmStatus.FAILED, data, cause);
    }

    /** {@return the type of the event} */
    public CmEventType type() {
        return type;
    }

    /** {@return the number of the type in {@code enum rdma_cm_event_type}, also if {@link #type} is UNKNOWN} */
    public int rawType() {
        return rawType;
    }

    /** {@return the ID that the event concerns; for {@link CmEventType#CONNECT_REQUEST} the new ID} */
    public CmId id() {
        return id;
    }

    /** {@return the ID that listens, for {@link CmEventType#CONNECT_REQUEST}; otherwise null} */
    public CmId listener() {
        return listener;
    }

    /** {@return 0, a negative errno, or a positive number whose meaning depends on the type} */
    public int status() {
        return status;
    }

    /**
     * {@return whether the event reports that a step failed or that the device was removed, or the status is not 0}
     * False for {@link CmEventType#DISCONNECTED} with status 0.
     */
    public boolean isFailure() {
        return type.isFailure() || status != 0;
    }

    /** {@return what the status means, and what to do, as a sentence} */
    public String explanation() {
        return CmStatus.describe(type, status, cause);
    }

    /**
     * {@return the private data of the peer, read-only} InfiniBand and RoCE have no field for its length: it is as
     * long as the field of the message, with zeros after what the peer has given. It is empty if the event has none.
     */
    public ByteBuffer privateData() {
        return ByteBuffer.wrap(parameters.privateData()).asReadOnlyBuffer();
    }

    /** {@return how many READs and atomics of the peer this side can execute at a time; see rdma_accept(3)} */
    public int responderResources() {
        return parameters.responderResources();
    }

    /** {@return how many READs and atomics this side can have in flight; see rdma_accept(3)} */
    public int initiatorDepth() {
        return parameters.initiatorDepth();
    }

    /** {@return whether the peer has end-to-end flow control} */
    public boolean flowControl() {
        return parameters.flowControl();
    }

    /** {@return the number of retries that the peer asks for} */
    public int retryCount() {
        return parameters.retryCount();
    }

    /** {@return the number of retries after an RNR NAK that the peer asks for; 7 means unlimited} */
    public int rnrRetryCount() {
        return parameters.rnrRetryCount();
    }

    /** {@return whether the peer uses a shared receive queue} */
    public boolean srq() {
        return parameters.srq();
    }

    /** {@return the number of the peer's queue pair; of a multicast group 0xFFFFFF; 0 if the event has none} */
    public int qpNumber() {
        return parameters.qpNumber();
    }

    /** {@return the Q_Key of the UD peer or the multicast group; otherwise 0} */
    public int qkey() {
        return parameters.qkey();
    }

    /** {@return the path to the UD peer or the multicast group; otherwise null} */
    public AhAttributes address() {
        return address;
    }

    /** {@return the context that was given to {@link CmId#joinMulticast}; otherwise null} */
    public Object multicastContext() {
        return context;
    }

    /** {@return the argument that was given to {@link CmId#postUserEvent}; otherwise 0} */
    public long userArgument() {
        return userArgument;
    }

    /** Acknowledges the event; see rdma_ack_cm_event(3). A second call has no effect. */
    public void acknowledge() {
        counter().events().acknowledgeOnce(acknowledged);
    }

    /** Returns the ID that counts this event. */
    CmId counter() {
        return listener == null ? id : listener;
    }

    /** Acknowledges the event, like {@link #acknowledge()}. */
    @Override
    public void close() {
        acknowledge();
    }

    /** Returns an exception that says that a step has failed with this event. */
    CmException failure(String step) {
        return new CmException(step, this, cause);
    }

    @Override
    public String toString() {
        return (type == CmEventType.UNKNOWN ? type + " " + rawType : type)
                + (status == 0 ? "" : ", " + explanation()) + ", of " + id;
    }
}
