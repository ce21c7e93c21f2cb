package io.jverbs.soft.transport;

import io.jverbs.AhAttributes;

/**
 * The attributes of a queue pair that modify sets. Written with the requester's and the responder's lock held, read with
 * either.
 */
public final class Settings {
    /** Which attributes were ever given: bits of {@link io.jverbs.QpAttribute}. */
    public int given;
    /** What peers may do: bits of {@link io.jverbs.Access}. */
    public int accessFlags;
    /** The place of the P_Key in the port's table. */
    public int pkeyIndex;
    /** The port's number, 0 before INIT. */
    public int port;
    /** The Q_Key of a UD queue pair. */
    public int qkey;
    /** The path of a connected queue pair, null before RTR. */
    public SoftAh path;
    /** The path as it was given. */
    public AhAttributes address;
    /** The path MTU in bytes. */
    public int pathMtu;
    /** The peer's number. */
    public int destinationQpn;
    /** The ACK timeout's code, 5 bits, 0 for ever. */
    public int timeout;
    /** Retries after silence, 3 bits. */
    public int retryCount;
    /** Retries after RNR, 3 bits, 7 without end. */
    public int rnrRetry;
    /** The RNR timer's code that we send, 5 bits. */
    public int minRnrTimer;
    /** READs and atomics that we may have under way. */
    public int maxRdAtomic;
    /** READs and atomics that we answer. */
    public int maxDestRdAtomic;
    /** Whether a drained send queue raises an event. */
    public boolean notifyDrained;

    /** Forgets everything, on the way to RESET. */
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
