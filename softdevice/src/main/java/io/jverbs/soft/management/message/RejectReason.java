package io.jverbs.soft.management.message;

/** The reasons of a REJ that this device sends, with their numbers in section 12.6.7.2 of the specification. */
public final class RejectReason {
    /** No queue pair is available. */
    public static final int NO_QP = 1;
    /** The sender of the REJ has received no response in time. */
    public static final int TIMEOUT = 4;
    /** There is no listener for the service ID. */
    public static final int INVALID_SERVICE_ID = 8;
    /** The receiver's queue pair is still part of an earlier connection. */
    public static final int STALE_CONNECTION = 10;
    /** The GIDs of the path in the REQ are not those of its packet. The ARI is the GID of the sender of the REJ. */
    public static final int INVALID_GID = 12;
    /** A program has rejected the connection. */
    public static final int CONSUMER_DEFINED = 28;
    /** The options of enhanced connection establishment are not supported. */
    public static final int VENDOR_OPTION_NOT_SUPPORTED = 35;

    private RejectReason() {}
}
