package io.jverbs;

import static io.jverbs.QpAttribute.ACCESS_FLAGS;
import static io.jverbs.QpAttribute.ALT_PATH;
import static io.jverbs.QpAttribute.AV;
import static io.jverbs.QpAttribute.CUR_STATE;
import static io.jverbs.QpAttribute.DEST_QPN;
import static io.jverbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.jverbs.QpAttribute.MAX_DEST_RD_ATOMIC;
import static io.jverbs.QpAttribute.MAX_QP_RD_ATOMIC;
import static io.jverbs.QpAttribute.MIN_RNR_TIMER;
import static io.jverbs.QpAttribute.PATH_MIG_STATE;
import static io.jverbs.QpAttribute.PATH_MTU;
import static io.jverbs.QpAttribute.PKEY_INDEX;
import static io.jverbs.QpAttribute.PORT;
import static io.jverbs.QpAttribute.QKEY;
import static io.jverbs.QpAttribute.RETRY_CNT;
import static io.jverbs.QpAttribute.RNR_RETRY;
import static io.jverbs.QpAttribute.RQ_PSN;
import static io.jverbs.QpAttribute.SQ_PSN;
import static io.jverbs.QpAttribute.STATE;
import static io.jverbs.QpAttribute.TIMEOUT;

import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * Attributes of a queue pair and which of them are present: {@code struct ibv_qp_attr} together with its mask; see
 * ibv_modify_qp(3) and ibv_query_qp(3). Which ones a modify needs and takes is in {@link QpTransitions}. Immutable.
 *
 * <p>
 * Nothing is checked here but null: out-of-range values are refused by the modify, with EINVAL.
 */
public final class QpAttributes {
    /** The value of each attribute at the place of its ordinal; that of a path is in a field of its own. */
    private final int[] numbers;
    private final int mask;
    private final AhAttributes addressVector;
    private final AhAttributes alternatePath;
    private final boolean sqDraining;

    private QpAttributes(Builder builder) {
        numbers = builder.numbers.clone();
        mask = builder.mask;
        addressVector = builder.addressVector;
        alternatePath = builder.alternatePath;
        sqDraining = builder.sqDraining;
    }

    /** {@return a builder with no attribute} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that starts with these attributes} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        System.arraycopy(numbers, 0, builder.numbers, 0, numbers.length);
        builder.mask = mask;
        builder.addressVector = addressVector;
        builder.alternatePath = alternatePath;
        builder.sqDraining = sqDraining;
        return builder;
    }

    /** {@return which attributes are present, their {@link QpAttribute#bit() bits} together} */
    public int mask() {
        return mask;
    }

    /**
     * Tells whether an attribute is present.
     *
     * @param attribute the attribute
     * @return whether it was set
     */
    public boolean present(QpAttribute attribute) {
        return (mask & attribute.bit()) != 0;
    }

    /** {@return the state to move to; after a query the present state; null when absent} */
    public QpState state() {
        return present(STATE) ? QpState.of(number(STATE)) : null;
    }

    /** {@return {@link #state()} as a number, {@code enum ibv_qp_state}; 0 when absent} */
    public int rawState() {
        return number(STATE);
    }

    /** {@return the state that the program takes the queue pair to be in; null when absent} */
    public QpState currentState() {
        return present(CUR_STATE) ? QpState.of(number(CUR_STATE)) : null;
    }

    /**
     * {@return whether {@link AsyncEventType#SQ_DRAINED} is raised when the send queue has drained; false when
     * absent}
     */
    public boolean enableSqdAsyncNotify() {
        return number(EN_SQD_ASYNC_NOTIFY) != 0;
    }

    /** {@return which remote operations are served, bits of {@link Access}; 0 when absent} */
    public int accessFlags() {
        return number(ACCESS_FLAGS);
    }

    /** {@return the place of the partition key in the table of the port; 0 when absent} */
    public int pkeyIndex() {
        return number(PKEY_INDEX);
    }

    /** {@return the number of the port; 0 when absent} */
    public int port() {
        return number(PORT);
    }

    /** {@return the Q_Key (UD); 0 when absent} */
    public int qkey() {
        return number(QKEY);
    }

    /** {@return the path to the peer (RC, UC); null when absent} */
    public AhAttributes addressVector() {
        return addressVector;
    }

    /** {@return the payload of a full packet (RC, UC); null when absent} */
    public Mtu pathMtu() {
        return present(PATH_MTU) ? Mtu.of(number(PATH_MTU)) : null;
    }

    /** {@return {@link #pathMtu()} as a number, {@code enum ibv_mtu}; 0 when absent} */
    public int rawPathMtu() {
        return number(PATH_MTU);
    }

    /** {@return how long to wait for an acknowledgement (RC): 4.096 us * 2^n, 0 for ever; 0 when absent} */
    public int timeout() {
        return number(TIMEOUT);
    }

    /** {@return how often to retry without an acknowledgement (RC); 0 when absent} */
    public int retryCount() {
        return number(RETRY_CNT);
    }

    /** {@return how often to retry when the peer has no receive (RC); 7 for ever; 0 when absent} */
    public int rnrRetry() {
        return number(RNR_RETRY);
    }

    /** {@return the packet sequence number expected (RC, UC), 24 bits; 0 when absent} */
    public int rqPsn() {
        return number(RQ_PSN);
    }

    /** {@return how many READ and atomic operations may be outstanding as initiator (RC); 0 when absent} */
    public int maxRdAtomic() {
        return number(MAX_QP_RD_ATOMIC);
    }

    /** {@return the path to migrate to (RC, UC); null when absent} */
    public AhAttributes alternatePath() {
        return alternatePath;
    }

    /** {@return how long a peer shall wait when no receive is posted (RC), as a code; 0 when absent} */
    public int minRnrTimer() {
        return number(MIN_RNR_TIMER);
    }

    /** {@return the packet sequence number sent, 24 bits; 0 when absent} */
    public int sqPsn() {
        return number(SQ_PSN);
    }

    /** {@return how many READ and atomic operations of the peer may be outstanding (RC); 0 when absent} */
    public int maxDestRdAtomic() {
        return number(MAX_DEST_RD_ATOMIC);
    }

    /** {@return the state of path migration (RC, UC); null when absent} */
    public PathMigrationState pathMigrationState() {
        return present(PATH_MIG_STATE) ? PathMigrationState.of(number(PATH_MIG_STATE)) : null;
    }

    /** {@return the number of the peer's queue pair (RC, UC); 0 when absent} */
    public int destinationQpn() {
        return number(DEST_QPN);
    }

    /** {@return whether the send queue is draining, which only a query tells; see {@link QpState#SQD}} */
    public boolean sqDraining() {
        return sqDraining;
    }

    private int number(QpAttribute attribute) {
        return numbers[attribute.ordinal()];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QpAttributes that && mask == that.mask && sqDraining == that.sqDraining
                && Arrays.equals(numbers, that.numbers) && Objects.equals(addressVector, that.addressVector)
                && Objects.equals(alternatePath, that.alternatePath);
    }

    @Override
    public int hashCode() {
        return Objects.hash(mask, sqDraining, Arrays.hashCode(numbers), addressVector, alternatePath);
    }

    /** {@return the attributes that are present, by name} */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "QpAttributes[", "]");
        for (QpAttribute attribute : QpAttribute.ofMask(mask)) {
            text.add(attribute + "=" + show(attribute));
        }
        if (sqDraining) {
            text.add("draining");
        }
        return text.toString();
    }

    private String show(QpAttribute attribute) {
        int number = number(attribute);
        return switch (attribute) {
            case STATE, CUR_STATE -> name(QpState.of(number), QpState.UNKNOWN, number);
            case PATH_MTU -> name(Mtu.of(number), Mtu.UNKNOWN, number);
            case PATH_MIG_STATE -> name(PathMigrationState.of(number), PathMigrationState.UNKNOWN, number);
            case EN_SQD_ASYNC_NOTIFY -> Boolean.toString(number != 0);
            case ACCESS_FLAGS -> Access.toString(number);
            case QKEY -> Hex.key(number);
            case RQ_PSN, SQ_PSN, DEST_QPN -> Hex.number(number);
            case AV -> addressVector.toString();
            case ALT_PATH -> alternatePath.toString();
            default -> Integer.toString(number);
        };
    }

    private static String name(Enum<?> constant, Enum<?> unknown, int number) {
        return constant == unknown ? Integer.toString(number) : constant.name();
    }

    /** Collects the values of {@link QpAttributes}; what is set is present. For one thread at a time. */
    public static final class Builder {
        private final int[] numbers = new int[QpAttribute.values().length];
        private int mask;
        private AhAttributes addressVector;
        private AhAttributes alternatePath;
        private boolean sqDraining;

        private Builder() {}

        /**
         * Sets the state to move to.
         *
         * @param target the state
         * @return this builder
         */
        public Builder state(QpState target) {
            return set(STATE, Objects.requireNonNull(target, "state").code());
        }

        /**
         * Sets the state to move to by number, legal or not: for tests of what a device refuses.
         *
         * @param target a value of {@code enum ibv_qp_state}, or any other
         * @return this builder
         */
        public Builder rawState(int target) {
            return set(STATE, target);
        }

        /**
         * Sets the state that the program takes the queue pair to be in; the modify fails if it is in another.
         *
         * @param current the state
         * @return this builder
         */
        public Builder currentState(QpState current) {
            return set(CUR_STATE, Objects.requireNonNull(current, "currentState").code());
        }

        /**
         * Asks for {@link AsyncEventType#SQ_DRAINED} when the send queue has drained, on the way to {@link
         * QpState#SQD}.
         *
         * @param enable whether to raise it
         * @return this builder
         */
        public Builder enableSqdAsyncNotify(boolean enable) {
            return set(EN_SQD_ASYNC_NOTIFY, enable ? 1 : 0);
        }

        /**
         * Sets which remote operations are served.
         *
         * @param access bits of {@link Access}
         * @return this builder
         */
        public Builder accessFlags(int access) {
            return set(ACCESS_FLAGS, access);
        }

        /**
         * Sets the partition.
         *
         * @param index the place of the partition key in the table of the port, from 0
         * @return this builder
         */
        public Builder pkeyIndex(int index) {
            return set(PKEY_INDEX, index);
        }

        /**
         * Sets the port.
         *
         * @param number the number of the port, from 1
         * @return this builder
         */
        public Builder port(int number) {
            return set(PORT, number);
        }

        /**
         * Sets the key that datagrams must carry, and that this side sends where a request asks for it (UD).
         *
         * @param key the Q_Key, 32 bits
         * @return this builder
         */
        public Builder qkey(int key) {
            return set(QKEY, key);
        }

        /**
         * Sets the path to the peer (RC, UC).
         *
         * @param path the path
         * @return this builder
         */
        public Builder addressVector(AhAttributes path) {
            addressVector = Objects.requireNonNull(path, "addressVector");
            return set(AV, 0);
        }

        /**
         * Sets the payload of a full packet (RC, UC); it must be the same on both sides.
         *
         * @param mtu the MTU, at most the active MTU of the port
         * @return this builder
         */
        public Builder pathMtu(Mtu mtu) {
            return set(PATH_MTU, Objects.requireNonNull(mtu, "pathMtu").code());
        }

        /**
         * Sets the path MTU by number, legal or not: for tests of what a device refuses.
         *
         * @param mtu a value of {@code enum ibv_mtu}, or any other
         * @return this builder
         */
        public Builder rawPathMtu(int mtu) {
            return set(PATH_MTU, mtu);
        }

        /**
         * Sets how long to wait for an acknowledgement (RC).
         *
         * @param exponent n in 4.096 us * 2^n, 0 to 31; 0 waits for ever. The wait may last up to four times as long
         * @return this builder
         */
        public Builder timeout(int exponent) {
            return set(TIMEOUT, exponent);
        }

        /**
         * Sets how often to retry without an acknowledgement (RC).
         *
         * @param count 0 to 7
         * @return this builder
         */
        public Builder retryCount(int count) {
            return set(RETRY_CNT, count);
        }

        /**
         * Sets how often to retry when the peer has no receive (RC).
         *
         * @param count 0 to 7; 7 retries for ever
         * @return this builder
         */
        public Builder rnrRetry(int count) {
            return set(RNR_RETRY, count);
        }

        /**
         * Sets the first packet sequence number expected (RC, UC): the first that the peer sends.
         *
         * @param psn the number; only the low 24 bits count
         * @return this builder
         */
        public Builder rqPsn(int psn) {
            return set(RQ_PSN, psn);
        }

        /**
         * Sets how many READ and atomic operations may be outstanding as initiator (RC).
         *
         * @param count 0 to {@link DeviceAttributes#maxQpInitRdAtom()}, at most what the peer serves
         * @return this builder
         */
        public Builder maxRdAtomic(int count) {
            return set(MAX_QP_RD_ATOMIC, count);
        }

        /**
         * Sets the path to migrate to (RC, UC). Ethernet ports have none.
         *
         * @param path the path
         * @return this builder
         */
        public Builder alternatePath(AhAttributes path) {
            alternatePath = Objects.requireNonNull(path, "alternatePath");
            return set(ALT_PATH, 0);
        }

        /**
         * Sets how long a peer shall wait when no receive is posted (RC).
         *
         * @param timer a code, 0 to 31: 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, 0 is 655.36 ms
         * @return this builder
         */
        public Builder minRnrTimer(int timer) {
            return set(MIN_RNR_TIMER, timer);
        }

        /**
         * Sets the first packet sequence number sent.
         *
         * @param psn the number; only the low 24 bits count
         * @return this builder
         */
        public Builder sqPsn(int psn) {
            return set(SQ_PSN, psn);
        }

        /**
         * Sets how many READ and atomic operations of the peer may be outstanding (RC).
         *
         * @param count 0 to {@link DeviceAttributes#maxQpRdAtom()}
         * @return this builder
         */
        public Builder maxDestRdAtomic(int count) {
            return set(MAX_DEST_RD_ATOMIC, count);
        }

        /**
         * Sets the state of path migration (RC, UC).
         *
         * @param migration the state
         * @return this builder
         */
        public Builder pathMigrationState(PathMigrationState migration) {
            return set(PATH_MIG_STATE, Objects.requireNonNull(migration, "pathMigrationState").code());
        }

        /**
         * Sets the peer's queue pair (RC, UC).
         *
         * @param qpn its number, 24 bits
         * @return this builder
         */
        public Builder destinationQpn(int qpn) {
            return set(DEST_QPN, qpn);
        }

        /**
         * Sets whether the send queue is draining. Part of what a query reports; a modify pays no heed to it.
         *
         * @param draining whether requests that have started are still under way in {@link QpState#SQD}
         * @return this builder
         */
        public Builder sqDraining(boolean draining) {
            sqDraining = draining;
            return this;
        }

        /**
         * Takes an attribute out again.
         *
         * @param attribute the attribute, present or not
         * @return this builder
         */
        public Builder without(QpAttribute attribute) {
            switch (attribute) {
                case AV -> addressVector = null;
                case ALT_PATH -> alternatePath = null;
                default -> numbers[attribute.ordinal()] = 0;
            }
            mask &= ~attribute.bit();
            return this;
        }

        /** {@return the attributes} */
        public QpAttributes build() {
            return new QpAttributes(this);
        }

        private Builder set(QpAttribute attribute, int number) {
            numbers[attribute.ordinal()] = number;
            mask |= attribute.bit();
            return this;
        }
    }
}
