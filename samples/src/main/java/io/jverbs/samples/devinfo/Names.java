package io.jverbs.samples.devinfo;

import io.jverbs.AtomicCapability;
import io.jverbs.GidType;
import io.jverbs.LinkLayer;
import io.jverbs.Mtu;
import io.jverbs.PortState;
import io.jverbs.TransportType;

/** The names that {@code ibv_devinfo} prints for codes. */
final class Names {
    private Names() {}

    static String of(TransportType transport) {
        return switch (transport) {
            case IB -> "InfiniBand";
            case IWARP -> "iWARP";
            case USNIC -> "usNIC";
            case USNIC_UDP -> "usNIC UDP";
            case UNSPECIFIED -> "unspecified";
            case UNKNOWN -> "invalid transport";
        };
    }

    static String of(PortState state) {
        return switch (state) {
            case DOWN, INIT, ARMED, ACTIVE -> "PORT_" + state;
            case NOP, ACTIVE_DEFER, UNKNOWN -> "invalid state";
        };
    }

    static String of(AtomicCapability capability) {
        return capability == AtomicCapability.UNKNOWN ? "invalid atomic capability" : "ATOMIC_" + capability;
    }

    static String of(Mtu mtu) {
        return mtu == Mtu.UNKNOWN ? "invalid MTU" : Integer.toString(mtu.bytes());
    }

    static String of(LinkLayer layer) {
        return switch (layer) {
            case UNSPECIFIED, INFINIBAND -> "InfiniBand";
            case ETHERNET -> "Ethernet";
            case UNKNOWN -> "Unknown";
        };
    }

    static String of(GidType type) {
        return switch (type) {
            case IB -> "IB";
            case ROCE_V1 -> "RoCE v1";
            case ROCE_V2 -> "RoCE v2";
            case UNKNOWN -> "Unknown";
        };
    }

    static String physicalState(int state) {
        return switch (state) {
            case 1 -> "SLEEP";
            case 2 -> "POLLING";
            case 3 -> "DISABLED";
            // spelled as in ibv_devinfo
            case 4 -> "PORT_CONFIGURATION TRAINNING";
            case 5 -> "LINK_UP";
            case 6 -> "LINK_ERROR_RECOVERY";
            case 7 -> "PHY TEST";
            default -> "invalid physical state";
        };
    }

    static String virtualLanes(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "2";
            case 3 -> "4";
            case 4 -> "8";
            case 5 -> "15";
            default -> "invalid value";
        };
    }

    static String width(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "4";
            case 4 -> "8";
            case 8 -> "12";
            case 16 -> "2";
            default -> "invalid width";
        };
    }

    static String speed(int code) {
        return switch (code) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "invalid speed";
        };
    }
}
