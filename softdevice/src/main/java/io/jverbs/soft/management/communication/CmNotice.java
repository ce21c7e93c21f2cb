package io.jverbs.soft.management.communication;

import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.PrivateData;

/** What has happened to a connection, as {@code enum ib_cm_event_type} of Linux. Immutable. */
public sealed interface CmNotice {

    /** {@return the connection} */
    CmConnection connection();

    /** A REQ has arrived at a listener; the connection is new. */
    record RequestReceived(CmConnection connection, CmListener listener, ConnectRequest request) implements CmNotice {}

    /** A REP has arrived. */
    record ReplyReceived(CmConnection connection, ConnectReply reply) implements CmNotice {}

    /** An RTU has arrived. */
    record Established(CmConnection connection, PrivateData data) implements CmNotice {}

    /** A REJ has arrived. */
    record Rejected(CmConnection connection, ConnectReject reject) implements CmNotice {}

    /** No response to a REQ or a REP has arrived in time. */
    record Unreachable(CmConnection connection) implements CmNotice {}

    /** A DREQ has arrived. */
    record DisconnectRequested(CmConnection connection, PrivateData data) implements CmNotice {}

    /** A DREP has arrived, or none has arrived in time. */
    record Disconnected(CmConnection connection, boolean timedOut) implements CmNotice {}

    /** The time in TIMEWAIT has passed. */
    record TimewaitExited(CmConnection connection) implements CmNotice {}
}
