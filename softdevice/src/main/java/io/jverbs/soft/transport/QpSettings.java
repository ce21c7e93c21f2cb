package io.jverbs.soft.transport;

import io.jverbs.AhAttributes;

/**
 * The attributes of a queue pair that ibv_modify_qp(3) sets. Written while both the requester's and the responder's
 * lock are held, read while either is held.
 */
public final class QpSettings {
    /** The attributes that were set since RESET: bits of {@link io.jverbs.QpAttribute}. */
    public int given;
    /** The remote operations that are permitted: bits of {@link io.jverbs.Access}. */
    public int accessFlags;
    /** The index of the P_Key in the port's P_Key table. */
    public int pkeyIndex;
    /** The port number, 0 before INIT. */
    public int port;
    /** The Q_Key of a UD queue pair. */
    public int qkey;
    /** The path of a connected queue pair, null before RTR. */
    public SoftAh path;
    /** The address vector of the path, as it was set. */
    public AhAttributes address;
    /** The path MTU in bytes. */
    public int pathMtu;
    /** The peer's QPN. */
    public int destinationQpn;
    /** The code of the ACK timeout, 5 bits; 0 means infinite. */
    public int timeout;
    /** The number of retries after a timeout or a sequence error, 3 bits. */
    public int retryCount;
    /** The number of retries after an RNR NAK, 3 bits; 7 means infinite. */
    public int rnrRetry;
    /** The code of the RNR timer that this queue pair sends in RNR NAKs, 5 bits. */
    public int minRnrTimer;
    /** The number of READs and atomics that this queue pair may have outstanding as requester. */
    public int maxRdAtomic;
    /** The number of READs and atomics that this queue pair accepts as responder. */
    public int maxDestRdAtomic;
    /** Whether SQ_DRAINED is raised when the send queue is drained. */
    public boolean notifyDrained;

    /** Resets all attributes, on the transition to RESET. */
    public void clear() {
        given = 0;
        accessFlags = 0;
        pkeyIndex = 0;
        port = 0;
        qkey = 0;
        path = null;
        address = null;
        pathMtu = 0;
        destinationQpn = 0;
        timeout = 0;
        retryCount = 0;
        rnrRetry = 0;
        minRnrTimer = 0;
        maxRdAtomic = 0;
        maxDestRdAtomic = 0;
        notifyDrained = false;
    }
}
