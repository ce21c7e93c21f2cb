package io.jverbs.cm;

import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmIdOps;
import java.util.Objects;

/**
 * The options of an ID; see rdma_set_option(3). The new IDs of a listener have its type of service and its ACK timeout.
 * Thread-safe.
 */
public final class CmIdOptions {
    private static final int TOS = 0;
    private static final int REUSEADDR = 1;
    private static final int AFONLY = 2;
    private static final int ACK_TIMEOUT = 3;
    private static final int MAX_BYTE = 255;
    private static final int MAX_ACK_TIMEOUT = 31;

    private final CmId id;

    CmIdOptions(CmId id) {
        this.id = id;
    }

    /**
     * Sets the type of service of the connection: the traffic class of its packets. See rdma_set_option(3).
     *
     * @param tos 0 to 255
     * @throws VerbsException with EINVAL if the value is out of range
     */
    public void typeOfService(int tos) {
        option(TOS, "type of service", tos, MAX_BYTE);
    }

    /**
     * Sets whether several IDs can be bound to one port; see rdma_set_option(3).
     *
     * @param reuse true to allow it
     * @throws VerbsException with EINVAL if the state does not allow it
     */
    public void reuseAddress(boolean reuse) {
        option(REUSEADDR, "reuse", reuse ? 1 : 0, 1);
    }

    /**
     * Sets whether an ID that is bound to the IPv6 wildcard address refuses IPv4 peers; see rdma_set_option(3).
     *
     * @param only true to refuse IPv4 peers
     * @throws VerbsException with EINVAL if the state does not allow it
     */
    public void addressFamilyOnly(boolean only) {
        option(AFONLY, "only", only ? 1 : 0, 1);
    }

    /**
     * Sets the ACK timeout of the queue pair; see rdma_set_option(3).
     *
     * @param timeout the exponent of 4.096 microseconds, 0 to 31; 0 for no timeout
     * @throws VerbsException with EINVAL if the value is out of range, or this is an ID for UD; on software devices,
     *         for UC, too
     */
    public void ackTimeout(int timeout) {
        option(ACK_TIMEOUT, "ACK timeout", timeout, MAX_ACK_TIMEOUT);
    }

    private void option(int number, String name, int value, int max) {
        if (value < 0 || value > max) {
            throw VerbsException.outOfRange("set_option", name, value, 0, max);
        }
        id.operations().option(number, value);
    }

    /**
     * Sets the options of enhanced connection establishment that the peer gets, for an ID without a queue pair; see
     * rdma_set_local_ece(3). A native device responds to a request with the vendor of the request, whichever is set.
     *
     * @param ece the options; the vendor is not 0
     * @throws VerbsException with EINVAL if the ID has a queue pair, or the vendor is 0
     */
    public void localEce(Ece ece) {
        requireNoQueuePair("set_local_ece");
        if (Objects.requireNonNull(ece, "ece").vendorId() == 0) {
            throw new VerbsException("set_local_ece", Errno.EINVAL, "vendorId is 0; it must be greater");
        }
        id.operations().localEce(new CmIdOps.Ece(ece.vendorId(), ece.options()));
    }

    /**
     * {@return the options of enhanced connection establishment of the peer, {@link Ece#NONE} if it has sent none; see
     * rdma_get_remote_ece(3)}
     *
     * @throws VerbsException with EINVAL if the ID has a queue pair
     */
    public Ece remoteEce() {
        requireNoQueuePair("get_remote_ece");
        CmIdOps.Ece ece = id.operations().remoteEce();
        return new Ece(ece.vendorId(), ece.options());
    }

    private void requireNoQueuePair(String operation) {
        if (id.queuePair() != null) {
            throw new VerbsException(operation, Errno.EINVAL, id + " has a queue pair");
        }
    }
}
