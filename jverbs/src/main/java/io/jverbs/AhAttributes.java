package io.jverbs;

import java.util.Objects;

/**
 * A path to a destination, {@code struct ibv_ah_attr} with its {@code struct ibv_global_route}; see ibv_create_ah(3).
 * It makes an address handle (UD), or is the address vector of a connection (RC, UC).
 *
 * <p>
 * Ranges are checked when it is used. On Ethernet it must be {@code global}, and LID, path bits and rate do not count.
 *
 * @param destination the GID of the peer, or of a multicast group
 * @param sgidIndex the place of the own address in the GID table of the port
 * @param port the number of the port to send from, from 1
 * @param hopLimit how many routers a packet may pass, 0 to 255: the IP time to live
 * @param trafficClass the IP traffic class, 0 to 255
 * @param flowLabel the IPv6 flow label, 20 bits
 * @param serviceLevel the service level, 0 to 15
 * @param dlid the LID of the destination (InfiniBand), 16 bits
 * @param sourcePathBits which of the port's LIDs to send from (InfiniBand), 0 to 127
 * @param staticRate a limit of the rate, {@code enum ibv_rate}; 0 for none
 * @param global whether packets carry a global route header; if not, only {@code dlid} names the destination
 */
public record AhAttributes(
        Gid destination, int sgidIndex, int port, int hopLimit, int trafficClass, int flowLabel, int serviceLevel,
        int dlid, int sourcePathBits, int staticRate, boolean global) {

    private static final int MAX_BYTE = 0xff;
    private static final int MAX_FLOW_LABEL = 0xf_ffff;
    private static final int MAX_SERVICE_LEVEL = 15;
    private static final int MAX_LID = 0xffff;
    private static final int MAX_PATH_BITS = 127;

    /** Checks that the destination is not null. */
    public AhAttributes {
        Objects.requireNonNull(destination, "destination");
    }

    /**
     * Makes a path that has the defaults of {@link #builder()} for all else.
     *
     * @param destination the GID of the peer, or of a multicast group
     * @param port the number of the port to send from, from 1
     * @param sgidIndex the place of the own address in the GID table of the port
     * @return the path
     */
    public static AhAttributes to(Gid destination, int port, int sgidIndex) {
        return builder().destination(destination).port(port).sgidIndex(sgidIndex).build();
    }

    /** {@return a builder with a global path from port 1 to {@link Gid#ZERO}, hop limit 64 and 0 for the rest} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that starts with these values} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.destination = destination;
        builder.sgidIndex = sgidIndex;
        builder.port = port;
        builder.hopLimit = hopLimit;
        builder.trafficClass = trafficClass;
        builder.flowLabel = flowLabel;
        builder.serviceLevel = serviceLevel;
        builder.dlid = dlid;
        builder.sourcePathBits = sourcePathBits;
        builder.staticRate = staticRate;
        builder.global = global;
        return builder;
    }

    /**
     * Checks the values against what the device and the port can do. Whether the entry of the GID table is empty is for
     * the device to check.
     *
     * @param operation the verb that uses the path, for the exception
     * @param device the attributes of the device
     * @param portAttributes the attributes of the port
     * @throws VerbsException with EINVAL, naming the value and its range; also for a path on Ethernet that is not
     *         global
     */
    public void checkRanges(String operation, DeviceAttributes device, PortAttributes portAttributes) {
        checkRange(operation, "port", port, 1, device.portCount());
        if (global) {
            checkRange(operation, "sgidIndex", sgidIndex, 0, portAttributes.gidTableLength() - 1);
            checkRange(operation, "hopLimit", hopLimit, 0, MAX_BYTE);
            checkRange(operation, "trafficClass", trafficClass, 0, MAX_BYTE);
            checkRange(operation, "flowLabel", flowLabel, 0, MAX_FLOW_LABEL);
        } else if (portAttributes.linkLayer() == LinkLayer.ETHERNET) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "a path that is not global cannot be used on an Ethernet port: set global and a destination GID");
        }
        checkRange(operation, "serviceLevel", serviceLevel, 0, MAX_SERVICE_LEVEL);
        checkRange(operation, "dlid", dlid, 0, MAX_LID);
        checkRange(operation, "sourcePathBits", sourcePathBits, 0, MAX_PATH_BITS);
        checkRange(operation, "staticRate", staticRate, 0, MAX_BYTE);
    }

    private static void checkRange(String operation, String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw VerbsException.outOfRange(operation, name, value, min, max);
        }
    }

    /** Collects the values of {@link AhAttributes}. For one thread at a time. */
    public static final class Builder {
        private Gid destination = Gid.ZERO;
        private int sgidIndex;
        private int port = 1;
        private int hopLimit = 64;
        private int trafficClass;
        private int flowLabel;
        private int serviceLevel;
        private int dlid;
        private int sourcePathBits;
        private int staticRate;
        private boolean global = true;

        private Builder() {}

        /**
         * {@return this builder, with {@link AhAttributes#destination()} set}
         *
         * @param value the value
         */
        public Builder destination(Gid value) {
            destination = Objects.requireNonNull(value, "destination");
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#sgidIndex()} set}
         *
         * @param value the value
         */
        public Builder sgidIndex(int value) {
            sgidIndex = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#port()} set}
         *
         * @param value the value
         */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#hopLimit()} set}
         *
         * @param value the value
         */
        public Builder hopLimit(int value) {
            hopLimit = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#trafficClass()} set}
         *
         * @param value the value
         */
        public Builder trafficClass(int value) {
            trafficClass = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#flowLabel()} set}
         *
         * @param value the value
         */
        public Builder flowLabel(int value) {
            flowLabel = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#serviceLevel()} set}
         *
         * @param value the value
         */
        public Builder serviceLevel(int value) {
            serviceLevel = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#dlid()} set}
         *
         * @param value the value
         */
        public Builder dlid(int value) {
            dlid = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#sourcePathBits()} set}
         *
         * @param value the value
         */
        public Builder sourcePathBits(int value) {
            sourcePathBits = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#staticRate()} set}
         *
         * @param value the value
         */
        public Builder staticRate(int value) {
            staticRate = value;
            return this;
        }

        /**
         * {@return this builder, with {@link AhAttributes#global()} set}
         *
         * @param value the value
         */
        public Builder global(boolean value) {
            global = value;
            return this;
        }

        /** {@return the path} */
        public AhAttributes build() {
            return new AhAttributes(destination, sgidIndex, port, hopLimit, trafficClass, flowLabel, serviceLevel,
                    dlid, sourcePathBits, staticRate, global);
        }
    }
}
