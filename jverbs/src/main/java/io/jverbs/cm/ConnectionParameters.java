package io.jverbs.cm;

import io.jverbs.QueuePair;
import io.jverbs.spi.CmParameters;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The parameters of {@link CmId#connect} and {@link CmId#accept}, {@code struct rdma_conn_param}; see rdma_connect(3).
 * Immutable.
 *
 * {@snippet :
 * id.connect(ConnectionParameters.builder().privateData(ByteBuffer.wrap(name)).retryCount(7).build());
 * }
 */
public final class ConnectionParameters {
    /** Stands for the largest number that the device supports, and when accepting, that the peer offers. */
    public static final int MAXIMUM = 255;
    /** The parameters of a connect or an accept without parameters. */
    public static final ConnectionParameters DEFAULT = builder().build();

    private static final int MAX_BYTE = 255;
    private static final int MAX_QP_NUMBER = 0xFF_FFFF;

    private final byte[] privateData;
    private final int responderResources;
    private final int initiatorDepth;
    private final boolean flowControl;
    private final int retryCount;
    private final int rnrRetryCount;
    private final boolean srq;
    private final int qpNumber;

    private ConnectionParameters(Builder builder) {
        privateData = builder.privateData;
        responderResources = builder.responderResources;
        initiatorDepth = builder.initiatorDepth;
        flowControl = builder.flowControl;
        retryCount = builder.retryCount;
        rnrRetryCount = builder.rnrRetryCount;
        srq = builder.srq;
        qpNumber = builder.qpNumber;
    }

    /**
     * Returns a builder without private data, with {@link #MAXIMUM} READs and atomics in both directions, end-to-end
     * flow control, and 7 for both retry counts, which for the RNR retry count means unlimited.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the private data, read-only} */
    public ByteBuffer privateData() {
        return ByteBuffer.wrap(privateData).asReadOnlyBuffer();
    }

    /** {@return the number of READs and atomics of the peer that the queue pair executes at a time} */
    public int responderResources() {
        return responderResources;
    }

    /** {@return the number of READs and atomics that the queue pair has in flight at a time} */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /** {@return whether the device has end-to-end flow control} */
    public boolean flowControl() {
        return flowControl;
    }

    /** {@return the number of retries of the queue pair; values above 7 are treated as 7} */
    public int retryCount() {
        return retryCount;
    }

    /** {@return the number of retries after an RNR NAK; 7 means unlimited; values above 7 are treated as 7} */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /** {@return whether the queue pair uses a shared receive queue; not used if the ID has a queue pair} */
    public boolean srq() {
        return srq;
    }

    /** {@return the number of the queue pair; not used if the ID has a queue pair} */
    public int qpNumber() {
        return qpNumber;
    }

    /** Returns a copy of the bytes of a buffer from its position to its limit. */
    static byte[] bytes(ByteBuffer data, String name) {
        ByteBuffer source = Objects.requireNonNull(data, name).duplicate();
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        return bytes;
    }

    /** Returns what the device gets: the values of the queue pair, if there is one, in place of those given here. */
    CmParameters forDevice(QueuePair qp, int resources, int depth) {
        boolean hasSrq = qp == null ? srq : qp.srq() != null;
        return new CmParameters(privateData, resources, depth, flowControl, retryCount, rnrRetryCount, hasSrq,
                qp == null ? qpNumber : qp.number(), 0);
    }

    @Override
    public String toString() {
        return "ConnectionParameters[" + privateData.length + " bytes, responderResources=" + responderResources
                + ", initiatorDepth=" + initiatorDepth + ", retryCount=" + retryCount + ", rnrRetryCount="
                + rnrRetryCount + "]";
    }

    /** Collects parameters. Not thread-safe. */
    public static final class Builder {
        private byte[] privateData = {};
        private int responderResources = MAXIMUM;
        private int initiatorDepth = MAXIMUM;
        private boolean flowControl = true;
        private int retryCount = 7;
        private int rnrRetryCount = 7;
        private boolean srq;
        private int qpNumber;

        private Builder() {}

        private static int inRange(String name, int value, int max) {
            if (value < 0 || value > max) {
                throw new IllegalArgumentException(name + " " + value + " is outside 0.." + max);
            }
            return value;
        }

        /**
         * Sets the private data that the peer gets. The message limits its length: 56 bytes for a connect and 196 for
         * an accept in {@link PortSpace#TCP}, 180 and 136 in {@link PortSpace#UDP}.
         *
         * @param data the bytes from its position to its limit, which are copied; its position stays
         * @return this builder
         */
        public Builder privateData(ByteBuffer data) {
            privateData = bytes(data, "data");
            return this;
        }

        /**
         * Sets the number of READs and atomics of the peer that the queue pair executes at a time.
         *
         * @param count 0 to the maximum of the device, or {@link #MAXIMUM}
         * @return this builder
         */
        public Builder responderResources(int count) {
            responderResources = inRange("responderResources", count, MAX_BYTE);
            return this;
        }

        /**
         * Sets the number of READs and atomics that the queue pair has in flight at a time.
         *
         * @param count 0 to the maximum of the device, or {@link #MAXIMUM}
         * @return this builder
         */
        public Builder initiatorDepth(int count) {
            initiatorDepth = inRange("initiatorDepth", count, MAX_BYTE);
            return this;
        }

        /**
         * Sets whether the device has end-to-end flow control.
         *
         * @param supported whether it has
         * @return this builder
         */
        public Builder flowControl(boolean supported) {
            flowControl = supported;
            return this;
        }

        /**
         * Sets the number of retries of the queue pair that connects.
         *
         * @param count 0 to 255; values above 7 are treated as 7
         * @return this builder
         */
        public Builder retryCount(int count) {
            retryCount = inRange("retryCount", count, MAX_BYTE);
            return this;
        }

        /**
         * Sets the number of retries that the queue pair of the peer makes after an RNR NAK.
         *
         * @param count 0 to 255; 7 or more means unlimited
         * @return this builder
         */
        public Builder rnrRetryCount(int count) {
            rnrRetryCount = inRange("rnrRetryCount", count, MAX_BYTE);
            return this;
        }

        /**
         * Sets the queue pair of an ID that has none.
         *
         * @param number the number of the queue pair, 24 bits
         * @param usesSrq whether it uses a shared receive queue
         * @return this builder
         */
        public Builder queuePair(int number, boolean usesSrq) {
            qpNumber = inRange("number", number, MAX_QP_NUMBER);
            srq = usesSrq;
            return this;
        }

        /** {@return the parameters} */
        public ConnectionParameters build() {
            return new ConnectionParameters(this);
        }
    }
}
