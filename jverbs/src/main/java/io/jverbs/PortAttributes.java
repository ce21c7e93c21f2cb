package io.jverbs;

import java.util.Objects;

/**
 * The present attributes of a port, {@code struct ibv_port_attr}; see ibv_query_port(3). On Ethernet the LIDs and the
 * attributes that a subnet manager sets are 0. Immutable.
 *
 * @param state the logical state
 * @param maxMtu the maximum MTU that the port supports
 * @param activeMtu the maximum MTU that can be used at present
 * @param gidTableLength the number of entries of the GID table, including empty entries
 * @param portCapFlags the capabilities of the port, {@code enum ibv_port_cap_flags}
 * @param maxMessageSize the maximum message size in bytes
 * @param badPkeyCounter the number of packets with a wrong partition key
 * @param qkeyViolationCounter the number of datagrams with a wrong Q_Key
 * @param pkeyTableLength the number of entries of the P_Key table, including empty entries
 * @param lid the base LID, 16 bits
 * @param smLid the LID of the subnet manager, 16 bits
 * @param lmc the LID mask count: the number of low LID bits that select a path
 * @param maxVlNum the maximum number of virtual lanes, encoded as in the specification
 * @param smSl the service level of the subnet manager
 * @param subnetTimeout the maximum propagation delay through the subnet: 4.096 us * 2^n
 * @param initTypeReply the type of initialization that the subnet manager performed
 * @param activeWidth the number of lanes, as a bit: 1 is 1X, 2 is 4X, 4 is 8X, 8 is 12X, 16 is 2X
 * @param activeSpeed the speed of a lane, as a bit: 1 is 2.5 Gb/s, 2 is 5 Gb/s, 4 is 10 Gb/s, 16 is 14 Gb/s, 32 is 25
 *        Gb/s, 64 is 50 Gb/s
 * @param physState the physical state: 3 is disabled, 5 is link up
 * @param linkLayer the link layer
 */
public record PortAttributes(
        PortState state, Mtu maxMtu, Mtu activeMtu, int gidTableLength, int portCapFlags, long maxMessageSize,
        int badPkeyCounter, int qkeyViolationCounter, int pkeyTableLength, int lid, int smLid, int lmc,
        int maxVlNum, int smSl, int subnetTimeout, int initTypeReply, int activeWidth, int activeSpeed,
        int physState, LinkLayer linkLayer) {

    /** Creates attributes. Throws {@link NullPointerException} if a component is null. */
    public PortAttributes {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(maxMtu, "maxMtu");
        Objects.requireNonNull(activeMtu, "activeMtu");
        Objects.requireNonNull(linkLayer, "linkLayer");
    }

    /** {@return a builder with an Ethernet port that is DOWN, MTUs of 4096 and 0 for all other attributes} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder initialized with these attributes} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.state = state;
        builder.maxMtu = maxMtu;
        builder.activeMtu = activeMtu;
        builder.gidTableLength = gidTableLength;
        builder.portCapFlags = portCapFlags;
        builder.maxMessageSize = maxMessageSize;
        builder.badPkeyCounter = badPkeyCounter;
        builder.qkeyViolationCounter = qkeyViolationCounter;
        builder.pkeyTableLength = pkeyTableLength;
        builder.lid = lid;
        builder.smLid = smLid;
        builder.lmc = lmc;
        builder.maxVlNum = maxVlNum;
        builder.smSl = smSl;
        builder.subnetTimeout = subnetTimeout;
        builder.initTypeReply = initTypeReply;
        builder.activeWidth = activeWidth;
        builder.activeSpeed = activeSpeed;
        builder.physState = physState;
        builder.linkLayer = linkLayer;
        return builder;
    }

    /** A builder of {@link PortAttributes}. Not thread-safe. */
    public static final class Builder {
        private PortState state = PortState.DOWN;
        private Mtu maxMtu = Mtu.MTU_4096;
        private Mtu activeMtu = Mtu.MTU_4096;
        private int gidTableLength;
        private int portCapFlags;
        private long maxMessageSize;
        private int badPkeyCounter;
        private int qkeyViolationCounter;
        private int pkeyTableLength;
        private int lid;
        private int smLid;
        private int lmc;
        private int maxVlNum;
        private int smSl;
        private int subnetTimeout;
        private int initTypeReply;
        private int activeWidth;
        private int activeSpeed;
        private int physState;
        private LinkLayer linkLayer = LinkLayer.ETHERNET;

        private Builder() {}

        /**
         * {@return this builder, with {@link PortAttributes#state()} set}
         *
         * @param value the value
         */
        public Builder state(PortState value) {
            state = Objects.requireNonNull(value, "state");
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#maxMtu()} set}
         *
         * @param value the value
         */
        public Builder maxMtu(Mtu value) {
            maxMtu = Objects.requireNonNull(value, "maxMtu");
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#activeMtu()} set}
         *
         * @param value the value
         */
        public Builder activeMtu(Mtu value) {
            activeMtu = Objects.requireNonNull(value, "activeMtu");
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#gidTableLength()} set}
         *
         * @param value the value
         */
        public Builder gidTableLength(int value) {
            gidTableLength = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#portCapFlags()} set}
         *
         * @param value the value
         */
        public Builder portCapFlags(int value) {
            portCapFlags = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#maxMessageSize()} set}
         *
         * @param value the value
         */
        public Builder maxMessageSize(long value) {
            maxMessageSize = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#badPkeyCounter()} set}
         *
         * @param value the value
         */
        public Builder badPkeyCounter(int value) {
            badPkeyCounter = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#qkeyViolationCounter()} set}
         *
         * @param value the value
         */
        public Builder qkeyViolationCounter(int value) {
            qkeyViolationCounter = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#pkeyTableLength()} set}
         *
         * @param value the value
         */
        public Builder pkeyTableLength(int value) {
            pkeyTableLength = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#lid()} set}
         *
         * @param value the value
         */
        public Builder lid(int value) {
            lid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#smLid()} set}
         *
         * @param value the value
         */
        public Builder smLid(int value) {
            smLid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#lmc()} set}
         *
         * @param value the value
         */
        public Builder lmc(int value) {
            lmc = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#maxVlNum()} set}
         *
         * @param value the value
         */
        public Builder maxVlNum(int value) {
            maxVlNum = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#smSl()} set}
         *
         * @param value the value
         */
        public Builder smSl(int value) {
            smSl = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#subnetTimeout()} set}
         *
         * @param value the value
         */
        public Builder subnetTimeout(int value) {
            subnetTimeout = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#initTypeReply()} set}
         *
         * @param value the value
         */
        public Builder initTypeReply(int value) {
            initTypeReply = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#activeWidth()} set}
         *
         * @param value the value
         */
        public Builder activeWidth(int value) {
            activeWidth = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#activeSpeed()} set}
         *
         * @param value the value
         */
        public Builder activeSpeed(int value) {
            activeSpeed = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#physState()} set}
         *
         * @param value the value
         */
        public Builder physState(int value) {
            physState = value;
            return this;
        }

        /**
         * {@return this builder, with {@link PortAttributes#linkLayer()} set}
         *
         * @param value the value
         */
        public Builder linkLayer(LinkLayer value) {
            linkLayer = Objects.requireNonNull(value, "linkLayer");
            return this;
        }

        /** {@return attributes with the values of this builder} */
        public PortAttributes build() {
            return new PortAttributes(state, maxMtu, activeMtu, gidTableLength, portCapFlags, maxMessageSize,
                    badPkeyCounter, qkeyViolationCounter, pkeyTableLength, lid, smLid, lmc, maxVlNum, smSl,
                    subnetTimeout, initTypeReply, activeWidth, activeSpeed, physState, linkLayer);
        }
    }
}
