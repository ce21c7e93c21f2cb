package io.jverbs.soft.journal;

import io.jverbs.WcStatus;

/** Explains what the status of a completion in error means, and what to check. */
final class Explanation {
    private Explanation() {}

    static String of(WcStatus status, boolean receive, int peer) {
        return switch (status) {
            case LOC_LEN_ERR -> receive
                    ? "the message is longer than the receive request: post larger receive requests"
                    : "the message is longer than the device or, for a datagram, the path MTU allows";
            case LOC_QP_OP_ERR -> "the request is inconsistent with its queue pair: check its address handle";
            case LOC_PROT_ERR ->
                "a local key does not permit this access to the memory of an element: check lkey, address,"
                        + " length, access flags and protection domain, and that the region is still registered";
            case WR_FLUSH_ERR ->
                "the queue pair is in an error state: the first completion in error, or an asynchronous event, gives"
                        + " the cause";
            case MW_BIND_ERR ->
                "a memory window could not be bound or invalidated: check its key, region and access rights";
            case BAD_RESP_ERR ->
                "queue pair " + peer + " sent a response that matches no request: check that both queue pairs have the"
                        + " same path MTU";
            case REM_INV_REQ_ERR ->
                "queue pair " + peer + " rejected the request as invalid: check that it allows such requests"
                        + " (access flags, max_dest_rd_atomic), that both queue pairs have the same path MTU, and that"
                        + " its receive requests are long enough";
            case REM_ACCESS_ERR ->
                "queue pair " + peer + " denied the access: check rkey, remote address, length and the access rights"
                        + " of the region";
            case REM_OP_ERR -> "queue pair " + peer + " could not use its receive request: check its local keys";
            case RETRY_EXC_ERR ->
                "queue pair " + peer + " did not respond to any retry: it is unreachable or destroyed, not in RTR yet,"
                        + " or connected to another queue pair, or the timeout is too short";
            case RNR_RETRY_EXC_ERR ->
                "queue pair " + peer + " had no receive request posted at any retry: post receive requests earlier, or"
                        + " set rnr_retry to 7 for unlimited retries";
            default -> status.toString();
        };
    }
}
