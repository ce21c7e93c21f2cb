package io.jverbs;

import java.util.Objects;

/**
 * The attributes of a path to a destination, {@code struct ibv_ah_attr} with its {@code struct ibv_global_route}; see
 * ibv_create_ah(3). They describe an address handle (UD) or the address vector of a connection (RC, UC). Immutable.
 *
 * <p>
 * Ranges are checked when the path is used. On Ethernet a path must be {@code global}, and {@code dlid}, {@code
 * sourcePathBits} and {@code staticRate} are not used.
 *
 * @param destination the GID of the peer or of a multicast group
 * @param sgidIndex the index of the source GID in the GID table of the port
 * @param port the number of the local port, from 1
 * @param hopLimit the hop limit of packets, 0 to 255: the IP time to live
 * @param trafficClass the IP traffic class, 0 to 255
 * @param flowLabel the IPv6 flow label, 20 bits
 * @param serviceLevel the service level, 0 to 15
 * @param dlid the LID of the destination, 16 bits (InfiniBand)
 * @param sourcePathBits the low bits of the source LID, 0 to 127 (InfiniBand)
 * @param staticRate the maximum static rate, {@code enum ibv_rate}; 0 for no limit
 * @param global whether packets carry a global route header; if not, {@code dlid} alone names the destination
 */
public record AhAttributes(
        Gid destination, int sgidIndex, int port, int hopLimit, int trafficClass, int flowLabel, int serviceLevel,
        int dlid, int sourcePathBits, int staticRate, boolean global) {

    private static final int MAX_BYTE = 0xff;
    private static final int MAX_FLOW_LABEL = 0xf_ffff;
    private static final int MAX_SERVICE_LEVEL = 15;
    private static final int MAX_LID = 0xffff;
    private static final int MAX_PATH_BITS = 127;

    /** Creates a path. Throws {@link NullPointerException} if {@code destination} is null. */
    public AhAttributes {
        Objects.requireNonNull(destination, "destination");
    }

    /**
     * Creates a path with the defaults of {@link #builder()} for all other attributes.
     *
     * @param destination the GID of the peer or of a multicast group
     * @param port the number of the local port, from 1
     * @param sgidIndex the index of the source GID in the GID table of the port
     * @return the path
     */
    public static AhAttributes to(Gid destination, int port, int sgidIndex) {
        return builder().destination(destination).port(port).sgidIndex(sgidIndex).build();
    }

    /**
     * {@return a builder of a global path from port 1 to {@link Gid#ZERO}, with hop limit 64 and 0 for all other
     * attributes}
     */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder initialized with these attributes} */
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
     * Checks the attributes against the limits of the device and the port. The device checks whether the GID table
     * entry is empty.
     *
     * @param operation the verb that uses the path, for the message of the exception
     * @param device the attributes of the device
     * @param portAttributes the attributes of the port
     * @throws VerbsException with EINVAL if a value is out of range, or the path is not global and the port is an
     *         Ethernet port; the message names the value and the range
     */
    public void checkRanges(String operation, DeviceAttributes device, PortAttributes portAttributes) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(portAttributes, "portAttributes");
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

    /** A builder of {@link AhAttributes}. Not thread-safe. */
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

        /** {@return a path with the attributes of this builder} */
        public AhAttributes build() {
            return new AhAttributes(destination, sgidIndex, port, hopLimit, trafficClass, flowLabel, serviceLevel,
                    dlid, sourcePathBits, staticRate, global);
        }
    }
}
