package io.jverbs;

import java.util.Objects;

/**
 * The attributes of a queue pair to create, {@code struct ibv_qp_init_attr_ex}; see ibv_create_qp(3) and
 * ibv_create_qp_ex(3). Immutable.
 *
 * <p>
 * Values are not checked here: {@link ProtectionDomain#createQueuePair} throws {@link VerbsException} for a missing
 * completion queue, an unknown type, and sizes beyond the limits of the device.
 *
 * {@snippet :
 * QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC)
 *         .cq(cq).maxSendWr(64).maxRecvWr(64).maxInlineData(32).build());
 * }
 */
public final class QpInitAttributes {
    private final int rawType;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final SharedReceiveQueue srq;
    private final QpCapabilities capabilities;
    private final boolean signalAll;
    private final boolean blockSelfMulticastLoopback;
    private final Object userContext;

    private QpInitAttributes(Builder builder) {
        rawType = builder.rawType;
        sendCq = builder.sendCq;
        recvCq = builder.recvCq;
        srq = builder.srq;
        capabilities = new QpCapabilities(builder.maxSendWr, builder.maxRecvWr, builder.maxSendSge, builder.maxRecvSge,
                builder.maxInlineData);
        signalAll = builder.signalAll;
        blockSelfMulticastLoopback = builder.blockSelfMulticastLoopback;
        userContext = builder.userContext;
    }

    /**
     * Returns a builder with 16 send and 16 receive requests of one scatter/gather element each, no inline data, no
     * shared receive queue, and completions only for signaled send requests.
     *
     * @param type the type of the queue pair
     * @return a builder without completion queues
     */
    public static Builder builder(QpType type) {
        return builderRaw(Objects.requireNonNull(type, "type").code());
    }

    /**
     * Returns a builder like {@link #builder(QpType)}, with the type as a number, legal or not: for tests of devices.
     *
     * @param type a value of {@code enum ibv_qp_type}, or any other
     * @return a builder without completion queues
     */
    public static Builder builderRaw(int type) {
        return new Builder(type);
    }

    /** {@return a builder with the values of these attributes} */
    public Builder toBuilder() {
        Builder builder = builderRaw(rawType).srq(srq).maxSendWr(maxSendWr()).maxRecvWr(maxRecvWr())
                .maxSendSge(maxSendSge()).maxRecvSge(maxRecvSge()).maxInlineData(maxInlineData()).signalAll(signalAll)
                .blockSelfMulticastLoopback(blockSelfMulticastLoopback).userContext(userContext);
        builder.sendCq = sendCq;
        builder.recvCq = recvCq;
        return builder;
    }

    /** {@return the type, {@link QpType#UNKNOWN} if there is no constant for it} */
    public QpType type() {
        return QpType.of(rawType);
    }

    /** {@return the type as a value of {@code enum ibv_qp_type}} */
    public int rawType() {
        return rawType;
    }

    /** {@return the completion queue of send requests; null if not set} */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /** {@return the completion queue of receive requests; null if not set} */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /** {@return the shared receive queue; null if the queue pair has its own receive queue} */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /** {@return the requested sizes} */
    public QpCapabilities capabilities() {
        return capabilities;
    }

    /** {@return the maximum number of outstanding send requests} */
    public int maxSendWr() {
        return capabilities.maxSendWr();
    }

    /** {@return the maximum number of outstanding receive requests; not used with a shared receive queue} */
    public int maxRecvWr() {
        return capabilities.maxRecvWr();
    }

    /** {@return the maximum number of scatter/gather elements of a send request} */
    public int maxSendSge() {
        return capabilities.maxSendSge();
    }

    /** {@return the maximum number of elements of a receive request; not used with a shared receive queue} */
    public int maxRecvSge() {
        return capabilities.maxRecvSge();
    }

    /** {@return the maximum number of bytes of a request with {@link SendFlags#INLINE}} */
    public int maxInlineData() {
        return capabilities.maxInlineData();
    }

    /** {@return whether every send request generates a completion, {@code sq_sig_all}} */
    public boolean signalAll() {
        return signalAll;
    }

    /**
     * {@return whether the queue pair does not receive the multicast packets that it sends itself, {@code
     * IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}}
     */
    public boolean blockSelfMulticastLoopback() {
        return blockSelfMulticastLoopback;
    }

    /** {@return the user context; null if there is none} */
    public Object userContext() {
        return userContext;
    }

    @Override
    public String toString() {
        return "QpInitAttributes[type=" + (type() == QpType.UNKNOWN ? rawType : type()) + ", sendCq=" + sendCq
                + ", recvCq=" + recvCq + ", srq=" + srq + ", " + capabilities + ", signalAll=" + signalAll
                + (blockSelfMulticastLoopback ? ", blockSelfMulticastLoopback=true]" : "]");
    }

    /** A builder of {@link QpInitAttributes}. Not thread-safe. */
    public static final class Builder {
        private final int rawType;
        private CompletionQueue sendCq;
        private CompletionQueue recvCq;
        private SharedReceiveQueue srq;
        private int maxSendWr = 16;
        private int maxRecvWr = 16;
        private int maxSendSge = 1;
        private int maxRecvSge = 1;
        private int maxInlineData;
        private boolean signalAll;
        private boolean blockSelfMulticastLoopback;
        private Object userContext;

        private Builder(int rawType) {
            this.rawType = rawType;
        }

        /**
         * Sets the completion queue of send requests.
         *
         * @param queue the completion queue; several queue pairs can share it
         * @return this builder
         */
        public Builder sendCq(CompletionQueue queue) {
            sendCq = Objects.requireNonNull(queue, "sendCq");
            return this;
        }

        /**
         * Sets the completion queue of receive requests.
         *
         * @param queue the completion queue; several queue pairs can share it
         * @return this builder
         */
        public Builder recvCq(CompletionQueue queue) {
            recvCq = Objects.requireNonNull(queue, "recvCq");
            return this;
        }

        /**
         * Sets one completion queue for both send and receive requests.
         *
         * @param queue the completion queue; several queue pairs can share it
         * @return this builder
         */
        public Builder cq(CompletionQueue queue) {
            return sendCq(Objects.requireNonNull(queue, "queue")).recvCq(queue);
        }

        /**
         * Sets the shared receive queue.
         *
         * @param queue the shared receive queue; null if the queue pair has its own receive queue
         * @return this builder
         */
        public Builder srq(SharedReceiveQueue queue) {
            srq = queue;
            return this;
        }

        /**
         * Sets the maximum number of outstanding send requests.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxQpWr()}
         * @return this builder
         */
        public Builder maxSendWr(int count) {
            maxSendWr = count;
            return this;
        }

        /**
         * Sets the maximum number of outstanding receive requests. Not used with a shared receive queue.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxQpWr()}
         * @return this builder
         */
        public Builder maxRecvWr(int count) {
            maxRecvWr = count;
            return this;
        }

        /**
         * Sets the maximum number of scatter/gather elements of a send request.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxSge()}
         * @return this builder
         */
        public Builder maxSendSge(int count) {
            maxSendSge = count;
            return this;
        }

        /**
         * Sets the maximum number of scatter/gather elements of a receive request. Not used with a shared receive
         * queue.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxSge()}
         * @return this builder
         */
        public Builder maxRecvSge(int count) {
            maxRecvSge = count;
            return this;
        }

        /**
         * Sets the maximum number of bytes of a request with {@link SendFlags#INLINE}.
         *
         * @param bytes the number of bytes; the device determines the limit
         * @return this builder
         */
        public Builder maxInlineData(int bytes) {
            maxInlineData = bytes;
            return this;
        }

        /**
         * Sets whether every send request generates a completion, {@code sq_sig_all}.
         *
         * @param all true for all requests; false for those with {@link SendFlags#SIGNALED} and those that fail
         * @return this builder
         */
        public Builder signalAll(boolean all) {
            signalAll = all;
            return this;
        }

        /**
         * Sets whether the queue pair does not receive the multicast packets that it sends itself, the creation flag
         * {@code IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}; see ibv_create_qp_ex(3). Other members of the group receive them.
         * Has no effect on queue pairs that are not of type UD. A device whose driver does not support the flag, such
         * as Linux rxe, refuses the queue pair with EOPNOTSUPP or EINVAL.
         *
         * @param block true to block them; by default, a queue pair that is attached to the group receives them
         * @return this builder
         */
        public Builder blockSelfMulticastLoopback(boolean block) {
            blockSelfMulticastLoopback = block;
            return this;
        }

        /**
         * Sets the user context.
         *
         * @param context an object that {@link QueuePair#userContext()} returns; null for none
         * @return this builder
         */
        public Builder userContext(Object context) {
            userContext = context;
            return this;
        }

        /** {@return attributes with the values of this builder} */
        public QpInitAttributes build() {
            return new QpInitAttributes(this);
        }
    }
}
