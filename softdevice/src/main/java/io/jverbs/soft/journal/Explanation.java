package io.jverbs.soft.journal;

import io.jverbs.WcStatus;

/** What a completion in error means, and what to look at. */
final class Explanation {
    private Explanation() {}

    static String of(WcStatus status, boolean receive, int peer) {
        return switch (status) {
            case LOC_LEN_ERR -> receive
                    ? "the message is longer than the receive request: post a longer one"
                    : "the message is longer than the device, or the path MTU of a datagram, allows";
            case LOC_QP_OP_ERR -> "the request is inconsistent with its queue pair: look at its address handle";
            case LOC_PROT_ERR ->
                "a local key does not give this access to the memory of an element: look at lkey, address,"
                        + " length, access flags and protection domain, and whether the region is still registered";
            case WR_FLUSH_ERR -> "the queue pair is in error: the first completion in error, or event, tells why";
            case MW_BIND_ERR -> "a memory window could not be bound or invalidated: look at its key, region and rights";
            case BAD_RESP_ERR ->
                "queue pair " + peer + " answered with what fits no request: compare the path MTU of both";
            case REM_INV_REQ_ERR ->
                "queue pair " + peer + " refused the request as invalid: it may not allow such requests"
                        + " (access flags, max_dest_rd_atomic), have another path MTU, or too short a receive request";
            case REM_ACCESS_ERR ->
                "queue pair " + peer + " refused access: look at rkey, remote address, length and the"
                        + " rights of the region";
            case REM_OP_ERR -> "queue pair " + peer + " could not use its receive request: look at its local keys";
            case RETRY_EXC_ERR -> "queue pair " + peer + " has not answered, with all retries: it is away, not in RTR,"
                    + " connected to another, or the timeout is too short";
            case RNR_RETRY_EXC_ERR ->
                "queue pair " + peer + " had no receive request, with all retries: post receives before,"
                        + " or set rnr_retry to 7";
            default -> status.toString();
        };
    }
}
