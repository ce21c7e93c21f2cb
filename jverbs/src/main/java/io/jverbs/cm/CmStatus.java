package io.jverbs.cm;

import io.jverbs.Errno;

/** Says what the status of an event means, and what to do. */
final class CmStatus {
    /** The status of an event that librdmacm makes of another one because a step of its own failed. */
    static final int FAILED = -1;
    private static final int SIDR_UNSUPPORTED = 1;
    private static final int SIDR_REJECTED = 2;
    private static final int SIDR_NO_QP = 3;
    private static final int SIDR_REDIRECT = 4;
    private static final int SIDR_UNSUPPORTED_VERSION = 5;
    private static final String REMOVED = "the device was removed: close the ID";

    private CmStatus() {}

    /**
     * Returns the status and its meaning.
     *
     * @param cause why a step for the queue pair failed, null if none did
     */
    static String describe(CmEventType type, int status, Throwable cause) {
        if (status == FAILED && type == CmEventType.CONNECT_ERROR) {
            return "the queue pair could not be connected" + because(cause) + ": close the ID and connect with a new"
                    + " one; do not move the queue pair meanwhile";
        }
        if (status == FAILED && type == CmEventType.MULTICAST_ERROR) {
            return "the queue pair could not be attached to the group" + because(cause)
                    + ": leave the group, and check the limit of attachments of the device";
        }
        if (status < 0 && type != CmEventType.USER) {
            Errno error = Errno.of(-status);
            String name = error == Errno.UNKNOWN ? "errno " + -status : error + " (" + -status + ")";
            return name + ": " + meaning(type, error);
        }
        return switch (type) {
            case REJECTED -> "reason " + status + ": " + reason(status);
            case UNREACHABLE -> "SIDR status " + status + ": " + sidr(status);
            case DEVICE_REMOVAL -> REMOVED;
            case DISCONNECTED -> "the connection has ended: to go on, connect with a new ID";
            case ADDR_CHANGE -> "the network device has another address: if messages are lost, disconnect and connect"
                    + " with a new ID";
            case MULTICAST_ERROR -> "the membership of the group is lost: leave the group and join it again";
            default -> "status " + status;
        };
    }

    private static String because(Throwable cause) {
        return cause == null ? "" : " (" + cause.getMessage() + ")";
    }

    private static String meaning(CmEventType type, Errno error) {
        return switch (type) {
            case ADDR_ERROR -> address(error);
            case ROUTE_ERROR -> error == Errno.ETIMEDOUT
                    ? "the route was not resolved in time: allow more time; on InfiniBand, check the subnet manager"
                    : "the route cannot be resolved: check the network, and resolve the route again";
            case CONNECT_ERROR -> "the connection could not be established: check the parameters of both sides, and"
                    + " connect with a new ID";
            case UNREACHABLE -> error == Errno.ETIMEDOUT
                    ? "the peer did not respond: check that its host is up and that no firewall drops UDP port 4791"
                    : "the peer cannot be reached: check the network, and connect with a new ID";
            case REJECTED -> error == Errno.ECONNREFUSED
                    ? "there is no listener at this port, or its program has rejected: check the port"
                    : "the peer has rejected or closed the connection: see the log of its program";
            case DISCONNECTED -> error == Errno.ETIMEDOUT
                    ? "the peer did not respond to the disconnect; the connection has ended: check that its host is up"
                    : "the connection has ended: to go on, connect with a new ID";
            case MULTICAST_ERROR -> "the group cannot be joined, or the membership is lost: check that the address is"
                    + " a multicast address that the network allows, and join again";
            case DEVICE_REMOVAL -> REMOVED;
            default -> "an event of this type has no errno that jverbs knows: see rdma_get_cm_event(3)";
        };
    }

    private static String address(Errno error) {
        return switch (error) {
            case ENODEV -> "the route to the address leaves by an interface that has no RDMA device: bind the ID to an"
                    + " address of the device";
            case ETIMEDOUT -> "the address did not respond: check that its host is up";
            case EHOSTUNREACH, ENETUNREACH -> "no route to the address: check the address and the routing table";
            case EINVAL -> "the peer uses another Q_Key: use the same port space on both sides";
            default -> "the address cannot be resolved: check it, and resolve it again";
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
            case SIDR_NO_QP -> "the peer has no queue pair for this service";
            case SIDR_REDIRECT ->
                "the peer refers to another address, which jverbs does not follow: connect to that one";
            case SIDR_UNSUPPORTED_VERSION -> "the peer does not support this version of the messages";
            default -> "see SIDR_REP in the InfiniBand Architecture Specification";
        };
    }
}
