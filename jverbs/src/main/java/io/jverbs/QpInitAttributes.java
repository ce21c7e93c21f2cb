package io.jverbs;

import java.util.Objects;

/**
 * What a queue pair is created with, {@code struct ibv_qp_init_attr}; see ibv_create_qp(3). Immutable.
 *
 * <p> Nothing but null is checked here: a missing completion queue, an unknown type and sizes beyond the device's
 * limits are refused when the queue pair is created.
 */
public final class QpInitAttributes {
    private final int rawType;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final SharedReceiveQueue srq;
    private final QpCapabilities capabilities;
    private final boolean signalAll;
    private final Object userContext;

    private QpInitAttributes(Builder builder) {
        rawType = builder.rawType;
        sendCq = builder.sendCq;
        recvCq = builder.recvCq;
        srq = builder.srq;
        capabilities = new QpCapabilities(builder.maxSendWr, builder.maxRecvWr, builder.maxSendSge, builder.maxRecvSge,
                builder.maxInlineData);
        signalAll = builder.signalAll;
        userContext = builder.userContext;
    }

    /**
     * Starts with 16 send and 16 receive requests of one element each, no inline data, and completions only for
     * requests that ask for one.
     *
     * @param type the transport service
     * @return a builder without completion queues
     */
    public static Builder builder(QpType type) {
        return builderRaw(Objects.requireNonNull(type, "type").code());
    }

    /**
     * Starts as {@link #builder(QpType)} does, with any number for the type: for tests of what a device refuses.
     *
     * @param type a value of {@code enum ibv_qp_type}, or any other
     * @return a builder without completion queues
     */
    public static Builder builderRaw(int type) {
        return new Builder(type);
    }

    /** {@return the transport service, {@link QpType#UNKNOWN} where there is no constant for it} */
    public QpType type() {
        return QpType.of(rawType);
    }

    /** {@return the transport service as a number, {@code enum ibv_qp_type}} */
    public int rawType() {
        return rawType;
    }

    /** {@return where completions of send requests go, null if not set} */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /** {@return where completions of receive requests go, null if not set} */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /** {@return the shared receive queue, null if the queue pair has a receive queue of its own} */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /** {@return the sizes asked for} */
    public QpCapabilities capabilities() {
        return capabilities;
    }

    /** {@return how many send requests may be outstanding} */
    public int maxSendWr() {
        return capabilities.maxSendWr();
    }

    /** {@return how many receive requests may be outstanding; does not count with a shared receive queue} */
    public int maxRecvWr() {
        return capabilities.maxRecvWr();
    }

    /** {@return how many scatter/gather elements a send request may have} */
    public int maxSendSge() {
        return capabilities.maxSendSge();
    }

    /** {@return how many scatter/gather elements a receive request may have; does not count with a shared queue} */
    public int maxRecvSge() {
        return capabilities.maxRecvSge();
    }

    /** {@return how many bytes a request with {@link SendFlags#INLINE} may carry} */
    public int maxInlineData() {
        return capabilities.maxInlineData();
    }

    /** {@return whether every send request is reported, {@code sq_sig_all}} */
    public boolean signalAll() {
        return signalAll;
    }

    /** {@return the program's own object, null if there is none} */
    public Object userContext() {
        return userContext;
    }

    @Override
    public String toString() {
        return "QpInitAttributes[type=" + (type() == QpType.UNKNOWN ? rawType : type()) + ", sendCq=" + sendCq
                + ", recvCq=" + recvCq + ", srq=" + srq + ", " + capabilities + ", signalAll=" + signalAll + "]";
    }

    /** Collects the values of {@link QpInitAttributes}. For one thread at a time. */
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
        private Object userContext;

        private Builder(int rawType) {
            this.rawType = rawType;
        }

        /**
         * Sets where completions of send requests go.
         *
         * @param queue the queue, which other queue pairs may use too
         * @return this builder
         */
        public Builder sendCq(CompletionQueue queue) {
            sendCq = Objects.requireNonNull(queue, "sendCq");
            return this;
        }

        /**
         * Sets where completions of receive requests go.
         *
         * @param queue the queue, which other queue pairs may use too
         * @return this builder
         */
        public Builder recvCq(CompletionQueue queue) {
            recvCq = Objects.requireNonNull(queue, "recvCq");
            return this;
        }

        /**
         * Sets where all completions go.
         *
         * @param queue the queue, which other queue pairs may use too
         * @return this builder
         */
        public Builder cq(CompletionQueue queue) {
            return sendCq(queue).recvCq(queue);
        }

        /**
         * Sets where receives come from.
         *
         * @param queue the shared receive queue; null for a receive queue of its own
         * @return this builder
         */
        public Builder srq(SharedReceiveQueue queue) {
            srq = queue;
            return this;
        }

        /**
         * Sets how many send requests may be outstanding.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxQpWr()}
         * @return this builder
         */
        public Builder maxSendWr(int count) {
            maxSendWr = count;
            return this;
        }

        /**
         * Sets how many receive requests may be outstanding. Does not count with a shared receive queue.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxQpWr()}
         * @return this builder
         */
        public Builder maxRecvWr(int count) {
            maxRecvWr = count;
            return this;
        }

        /**
         * Sets how many scatter/gather elements a send request may have.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxSge()}
         * @return this builder
         */
        public Builder maxSendSge(int count) {
            maxSendSge = count;
            return this;
        }

        /**
         * Sets how many scatter/gather elements a receive request may have. Does not count with a shared receive queue.
         *
         * @param count the number, 0 to {@link DeviceAttributes#maxSge()}
         * @return this builder
         */
        public Builder maxRecvSge(int count) {
            maxRecvSge = count;
            return this;
        }

        /**
         * Sets how many bytes a request with {@link SendFlags#INLINE} may carry.
         *
         * @param bytes the number; the limit is the device's
         * @return this builder
         */
        public Builder maxInlineData(int bytes) {
            maxInlineData = bytes;
            return this;
        }

        /**
         * Sets whether every send request is reported, {@code sq_sig_all}.
         *
         * @param all true for all, false for those with {@link SendFlags#SIGNALED} and those that fail
         * @return this builder
         */
        public Builder signalAll(boolean all) {
            signalAll = all;
            return this;
        }

        /**
         * Sets an object that the queue pair gives back.
         *
         * @param context any object of the program's; null for none
         * @return this builder
         */
        public Builder userContext(Object context) {
            userContext = context;
            return this;
        }

        /** {@return the attributes} */
        public QpInitAttributes build() {
            return new QpInitAttributes(this);
        }
    }
}
