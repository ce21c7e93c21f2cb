package io.jverbs;

import java.util.Objects;

/**
 * The present attributes of a port, {@code struct ibv_port_attr}; see ibv_query_port(3). On Ethernet the LIDs are
 * 0, and what only a subnet manager would set is 0 too.
 *
 * @param state whether the port carries traffic
 * @param maxMtu the largest MTU that the port supports
 * @param activeMtu the largest MTU that can be used now
 * @param gidTableLength how many entries the GID table has, empty ones included
 * @param portCapFlags what the port can do, {@code enum ibv_port_cap_flags}
 * @param maxMessageSize the longest message in bytes
 * @param badPkeyCounter how many packets had a wrong partition key
 * @param qkeyViolationCounter how many datagrams had a wrong Q_Key
 * @param pkeyTableLength how many entries the P_Key table has, empty ones included
 * @param lid the local identifier, 16 bits
 * @param smLid the local identifier of the subnet manager, 16 bits
 * @param lmc how many low bits of the LID choose a path
 * @param maxVlNum the number of virtual lanes, as the specification codes it
 * @param smSl the service level of the subnet manager
 * @param subnetTimeout how long a packet takes through the subnet at most: 4.096 us * 2^n
 * @param initTypeReply the kind of initialisation that the subnet manager did
 * @param activeWidth the number of lanes as a bit: 1 is 1X, 2 is 4X, 4 is 8X, 8 is 12X, 16 is 2X
 * @param activeSpeed the speed of a lane as a bit: 1 is 2.5 Gb/s, 2 is 5, 4 is 10, 16 is 14, 32 is 25, 64 is 50
 * @param physState the physical state: 3 is disabled, 5 is link up
 * @param linkLayer what the port is attached to
 */
public record PortAttributes(
        PortState state, Mtu maxMtu, Mtu activeMtu, int gidTableLength, int portCapFlags, long maxMessageSize,
        int badPkeyCounter, int qkeyViolationCounter, int pkeyTableLength, int lid, int smLid, int lmc,
        int maxVlNum, int smSl, int subnetTimeout, int initTypeReply, int activeWidth, int activeSpeed,
        int physState, LinkLayer linkLayer) {

    /** Checks that no component is null. */
    public PortAttributes {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(maxMtu, "maxMtu");
        Objects.requireNonNull(activeMtu, "activeMtu");
        Objects.requireNonNull(linkLayer, "linkLayer");
    }

    /** {@return a builder with an Ethernet port that is down, has an MTU of 4096 and 0 for the rest} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that starts with these values} */
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

    /** Collects the values of {@link PortAttributes}. For one thread at a time. */
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

        /** {@return the attributes} */
        public PortAttributes build() {
            return new PortAttributes(state, maxMtu, activeMtu, gidTableLength, portCapFlags, maxMessageSize,
                    badPkeyCounter, qkeyViolationCounter, pkeyTableLength, lid, smLid, lmc, maxVlNum, smSl,
                    subnetTimeout, initTypeReply, activeWidth, activeSpeed, physState, linkLayer);
        }
    }
}
