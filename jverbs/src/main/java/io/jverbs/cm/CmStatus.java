package io.jverbs.cm;

import io.jverbs.Errno;

/** Says what the status of an event means, and what to do. */
final class CmStatus {
    private static final int SIDR_UNSUPPORTED = 1;
    private static final int SIDR_REJECTED = 2;

    private CmStatus() {}

    /** Returns the status and its meaning. */
    static String describe(CmEventType type, int status) {
        if (status < 0) {
            Errno error = Errno.of(-status);
            String name = error == Errno.UNKNOWN ? "errno " + -status : error + " (" + -status + ")";
            return type == CmEventType.CONNECT_ERROR && status == -1
                    ? "the queue pair could not be connected: see the log"
                    : name + ": " + meaning(type, error);
        }
        return switch (type) {
            case REJECTED -> "reason " + status + ": " + reason(status);
            case UNREACHABLE -> "SIDR status " + status + ": " + sidr(status);
            case DEVICE_REMOVAL -> "the device was removed: close the ID";
            default -> "status " + status;
        };
    }

    private static String meaning(CmEventType type, Errno error) {
        return switch (type) {
            case ADDR_ERROR -> switch (error) {
                case ENODEV -> "the route to the address leaves by an interface that has no RDMA device";
                case ETIMEDOUT -> "the address did not respond: check that its host is up";
                case EHOSTUNREACH, ENETUNREACH -> "no route to the address";
                case EINVAL -> "the peer uses another Q_Key";
                default -> "the address cannot be resolved";
            };
            case UNREACHABLE -> error == Errno.ETIMEDOUT
                    ? "the peer did not respond: check that its host is up and that no firewall drops UDP port 4791"
                    : "the peer cannot be reached";
            default -> "see the man page of rdma_get_cm_event(3)";
        };
    }

    private static String reason(int reason) {
        return switch (reason) {
            case 1 -> "the peer has no more queue pairs";
            case 3 -> "the peer has no resources";
            case 4 -> "the peer has waited too long for this side";
            case 5 -> "the peer does not support the request";
            case 6, 7 -> "the peer does not know the communication ID";
            case 8 -> "there is no listener at this port: check the port and the port space";
            case 9 -> "the peer does not support the transport service";
            case 10 -> "the peer still has an earlier connection of this queue pair";
            case 12, 13, 14, 15, 16, 17 -> "the peer does not accept the path";
            case 28 -> "the peer has rejected: its private data may say why; or the address is not one it listens at";
            case 35 -> "the peer does not support the vendor's options";
            default -> "see table 109 of the InfiniBand Architecture Specification";
        };
    }

    private static String sidr(int status) {
        return switch (status) {
            case SIDR_UNSUPPORTED -> "there is no listener at this port: check the port and the port space";
            case SIDR_REJECTED -> "the peer has rejected";
            default -> "the peer has no queue pair for this service";
        };
    }
}
