package io.jverbs;

import java.util.Objects;

/**
 * A set of queue pair attributes with their values, {@code struct ibv_qp_attr} and its mask; see ibv_modify_qp(3) and
 * ibv_query_qp(3). {@link QpTransitions} says which attributes a modify requires and accepts. Immutable.
 *
 * <p>
 * Ranges are not checked here: {@link QueuePair#modify} throws {@link VerbsException} with EINVAL for values that are
 * out of range.
 *
 * {@snippet :
 * qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1)
 *         .accessFlags(Access.REMOTE_READ | Access.REMOTE_WRITE).build());
 * }
 */
public final class QpAttributes {
    private final QpAttributeValues values;

    private QpAttributes(Builder builder) {
        values = new QpAttributeValues(builder.values);
    }

    /** {@return a builder without attributes} */
    public static Builder builder() {
        return new Builder(new QpAttributeValues());
    }

    /** {@return a builder initialized with these attributes} */
    public Builder toBuilder() {
        return new Builder(new QpAttributeValues(values));
    }

    /** {@return the mask of the attributes that are present, their {@link QpAttribute#bit() bits}} */
    public int mask() {
        return values.mask();
    }

    /**
     * Returns whether an attribute is present.
     *
     * @param attribute the attribute
     * @return whether the attribute is present
     */
    public boolean present(QpAttribute attribute) {
        return values.present(attribute);
    }

    /** {@return the next state, or the present state in the result of a query; null if absent} */
    public QpState state() {
        return present(QpAttribute.STATE) ? QpState.of(values.number(QpAttribute.STATE)) : null;
    }

    /** {@return {@link #state()} as a value of {@code enum ibv_qp_state}; 0 if absent} */
    public int rawState() {
        return values.number(QpAttribute.STATE);
    }

    /** {@return the state that the program assumes the queue pair is in; null if absent} */
    public QpState currentState() {
        return present(QpAttribute.CUR_STATE) ? QpState.of(values.number(QpAttribute.CUR_STATE)) : null;
    }

    /** {@return whether a drained send queue raises {@link AsyncEventType#SQ_DRAINED}; false if absent} */
    public boolean enableSqdAsyncNotify() {
        return values.number(QpAttribute.EN_SQD_ASYNC_NOTIFY) != 0;
    }

    /** {@return the remote operations that are permitted, bits of {@link Access}; 0 if absent} */
    public int accessFlags() {
        return values.number(QpAttribute.ACCESS_FLAGS);
    }

    /** {@return the index of the partition key in the P_Key table of the port; 0 if absent} */
    public int pkeyIndex() {
        return values.number(QpAttribute.PKEY_INDEX);
    }

    /** {@return the number of the port; 0 if absent} */
    public int port() {
        return values.number(QpAttribute.PORT);
    }

    /** {@return the Q_Key (UD); 0 if absent} */
    public int qkey() {
        return values.number(QpAttribute.QKEY);
    }

    /** {@return the address vector, the path to the peer (RC, UC); null if absent} */
    public AhAttributes addressVector() {
        return values.addressVector();
    }

    /** {@return the path MTU (RC, UC); null if absent} */
    public Mtu pathMtu() {
        return present(QpAttribute.PATH_MTU) ? Mtu.of(values.number(QpAttribute.PATH_MTU)) : null;
    }

    /** {@return {@link #pathMtu()} as a value of {@code enum ibv_mtu}; 0 if absent} */
    public int rawPathMtu() {
        return values.number(QpAttribute.PATH_MTU);
    }

    /** {@return n of the acknowledgement timeout (RC), 4.096 us * 2^n; 0 for no timeout; 0 if absent} */
    public int timeout() {
        return values.number(QpAttribute.TIMEOUT);
    }

    /** {@return the retry count (RC); 0 if absent} */
    public int retryCount() {
        return values.number(QpAttribute.RETRY_CNT);
    }

    /** {@return the RNR retry count (RC), 7 for unlimited retries; 0 if absent} */
    public int rnrRetry() {
        return values.number(QpAttribute.RNR_RETRY);
    }

    /** {@return the packet sequence number of the receive queue (RC, UC), 24 bits; 0 if absent} */
    public int rqPsn() {
        return values.number(QpAttribute.RQ_PSN);
    }

    /** {@return the maximum number of outstanding READ and atomic operations as initiator (RC); 0 if absent} */
    public int maxRdAtomic() {
        return values.number(QpAttribute.MAX_QP_RD_ATOMIC);
    }

    /** {@return the alternate path (RC, UC); null if absent} */
    public AhAttributes alternatePath() {
        return values.alternatePath();
    }

    /** {@return the minimum RNR NAK timer (RC), as a code; 0 if absent} */
    public int minRnrTimer() {
        return values.number(QpAttribute.MIN_RNR_TIMER);
    }

    /** {@return the packet sequence number of the send queue, 24 bits; 0 if absent} */
    public int sqPsn() {
        return values.number(QpAttribute.SQ_PSN);
    }

    /** {@return the maximum number of outstanding READ and atomic operations as responder (RC); 0 if absent} */
    public int maxDestRdAtomic() {
        return values.number(QpAttribute.MAX_DEST_RD_ATOMIC);
    }

    /** {@return the path migration state (RC, UC); null if absent} */
    public PathMigrationState pathMigrationState() {
        return present(QpAttribute.PATH_MIG_STATE)
                ? PathMigrationState.of(values.number(QpAttribute.PATH_MIG_STATE))
                : null;
    }

    /** {@return the queue pair number of the peer (RC, UC); 0 if absent} */
    public int destinationQpn() {
        return values.number(QpAttribute.DEST_QPN);
    }

    /** {@return whether the send queue is draining, in the result of a query; see {@link QpState#SQD}} */
    public boolean sqDraining() {
        return values.sqDraining();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QpAttributes that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** {@return the names and values of the attributes that are present} */
    @Override
    public String toString() {
        return values.toString();
    }

    /** A builder of {@link QpAttributes}. An attribute is present if it was set. Not thread-safe. */
    public static final class Builder {
        private final QpAttributeValues values;

        private Builder(QpAttributeValues values) {
            this.values = values;
        }

        /**
         * Sets the next state.
         *
         * @param target the state
         * @return this builder
         */
        public Builder state(QpState target) {
            return set(QpAttribute.STATE, Objects.requireNonNull(target, "state").code());
        }

        /**
         * Sets the next state as a number, legal or not: for tests of devices.
         *
         * @param target a value of {@code enum ibv_qp_state}, or any other
         * @return this builder
         */
        public Builder rawState(int target) {
            return set(QpAttribute.STATE, target);
        }

        /**
         * Sets the state that the program assumes the queue pair is in. The modify fails if it is in another state.
         *
         * @param current the state
         * @return this builder
         */
        public Builder currentState(QpState current) {
            return set(QpAttribute.CUR_STATE, Objects.requireNonNull(current, "currentState").code());
        }

        /**
         * Sets whether a move to {@link QpState#SQD} raises {@link AsyncEventType#SQ_DRAINED} when the send queue is
         * drained.
         *
         * @param enable whether to raise the event
         * @return this builder
         */
        public Builder enableSqdAsyncNotify(boolean enable) {
            return set(QpAttribute.EN_SQD_ASYNC_NOTIFY, enable ? 1 : 0);
        }

        /**
         * Sets the remote operations that are permitted.
         *
         * @param access bits of {@link Access}
         * @return this builder
         */
        public Builder accessFlags(int access) {
            return set(QpAttribute.ACCESS_FLAGS, access);
        }

        /**
         * Sets the partition key.
         *
         * @param index the index of the partition key in the P_Key table of the port, from 0
         * @return this builder
         */
        public Builder pkeyIndex(int index) {
            return set(QpAttribute.PKEY_INDEX, index);
        }

        /**
         * Sets the port.
         *
         * @param number the number of the port, from 1
         * @return this builder
         */
        public Builder port(int number) {
            return set(QpAttribute.PORT, number);
        }

        /**
         * Sets the Q_Key that received datagrams must carry (UD). Datagrams carry it too if bit 31 of the Q_Key in
         * their send request is set.
         *
         * @param key the Q_Key, 32 bits
         * @return this builder
         */
        public Builder qkey(int key) {
            return set(QpAttribute.QKEY, key);
        }

        /**
         * Sets the address vector: the path to the peer (RC, UC).
         *
         * @param path the path
         * @return this builder
         */
        public Builder addressVector(AhAttributes path) {
            values.addressVector(Objects.requireNonNull(path, "addressVector"));
            return this;
        }

        /**
         * Sets the path MTU, which is the payload of a full packet (RC, UC). It must be the same on both sides.
         *
         * @param mtu the MTU, at most the active MTU of the port
         * @return this builder
         */
        public Builder pathMtu(Mtu mtu) {
            return set(QpAttribute.PATH_MTU, Objects.requireNonNull(mtu, "pathMtu").code());
        }

        /**
         * Sets the path MTU as a number, legal or not: for tests of devices.
         *
         * @param mtu a value of {@code enum ibv_mtu}, or any other
         * @return this builder
         */
        public Builder rawPathMtu(int mtu) {
            return set(QpAttribute.PATH_MTU, mtu);
        }

        /**
         * Sets the acknowledgement timeout (RC). The actual timeout can be up to four times as long.
         *
         * @param exponent n in 4.096 us * 2^n, 0 to 31; 0 for no timeout
         * @return this builder
         */
        public Builder timeout(int exponent) {
            return set(QpAttribute.TIMEOUT, exponent);
        }

        /**
         * Sets the number of retries if no acknowledgement arrives (RC).
         *
         * @param count 0 to 7
         * @return this builder
         */
        public Builder retryCount(int count) {
            return set(QpAttribute.RETRY_CNT, count);
        }

        /**
         * Sets the number of retries after an RNR NAK, which the peer sends if it has no receive request posted (RC).
         *
         * @param count 0 to 7; 7 for unlimited retries
         * @return this builder
         */
        public Builder rnrRetry(int count) {
            return set(QpAttribute.RNR_RETRY, count);
        }

        /**
         * Sets the first packet sequence number of the receive queue (RC, UC): the first one that the peer sends.
         *
         * @param psn the packet sequence number; only the low 24 bits are used
         * @return this builder
         */
        public Builder rqPsn(int psn) {
            return set(QpAttribute.RQ_PSN, psn);
        }

        /**
         * Sets the maximum number of outstanding READ and atomic operations as initiator (RC).
         *
         * @param count 0 to {@link DeviceAttributes#maxQpInitRdAtom()}, and at most {@link #maxDestRdAtomic} of the
         *         peer
         * @return this builder
         */
        public Builder maxRdAtomic(int count) {
            return set(QpAttribute.MAX_QP_RD_ATOMIC, count);
        }

        /**
         * Sets the alternate path (RC, UC). Ethernet ports do not support alternate paths.
         *
         * @param path the path
         * @return this builder
         */
        public Builder alternatePath(AhAttributes path) {
            values.alternatePath(Objects.requireNonNull(path, "alternatePath"));
            return this;
        }

        /**
         * Sets the minimum RNR NAK timer: how long the peer must wait before a retry if no receive request is posted
         * (RC).
         *
         * @param timer a code, 0 to 31: 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, 0 is 655.36 ms
         * @return this builder
         */
        public Builder minRnrTimer(int timer) {
            return set(QpAttribute.MIN_RNR_TIMER, timer);
        }

        /**
         * Sets the first packet sequence number of the send queue.
         *
         * @param psn the packet sequence number; only the low 24 bits are used
         * @return this builder
         */
        public Builder sqPsn(int psn) {
            return set(QpAttribute.SQ_PSN, psn);
        }

        /**
         * Sets the maximum number of outstanding READ and atomic operations as responder (RC).
         *
         * @param count 0 to {@link DeviceAttributes#maxQpRdAtom()}
         * @return this builder
         */
        public Builder maxDestRdAtomic(int count) {
            return set(QpAttribute.MAX_DEST_RD_ATOMIC, count);
        }

        /**
         * Sets the path migration state (RC, UC).
         *
         * @param migration the state
         * @return this builder
         */
        public Builder pathMigrationState(PathMigrationState migration) {
            return set(QpAttribute.PATH_MIG_STATE, Objects.requireNonNull(migration, "pathMigrationState").code());
        }

        /**
         * Sets the queue pair of the peer (RC, UC).
         *
         * @param qpn the queue pair number, 24 bits
         * @return this builder
         */
        public Builder destinationQpn(int qpn) {
            return set(QpAttribute.DEST_QPN, qpn);
        }

        /**
         * Sets whether the send queue is draining. Devices set it in the result of a query; a modify ignores it.
         *
         * @param draining whether started send requests are still outstanding in {@link QpState#SQD}
         * @return this builder
         */
        public Builder sqDraining(boolean draining) {
            values.sqDraining(draining);
            return this;
        }

        /**
         * Removes an attribute.
         *
         * @param attribute the attribute, present or not
         * @return this builder
         */
        public Builder without(QpAttribute attribute) {
            values.remove(attribute);
            return this;
        }

        /** {@return the attributes that were set} */
        public QpAttributes build() {
            return new QpAttributes(this);
        }

        private Builder set(QpAttribute attribute, int number) {
            values.set(attribute, number);
            return this;
        }
    }
}
