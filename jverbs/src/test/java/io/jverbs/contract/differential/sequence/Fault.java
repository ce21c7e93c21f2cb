package io.jverbs.contract.differential.sequence;

import static io.jverbs.QpType.RC;
import static io.jverbs.QpType.UC;
import static io.jverbs.QpType.UD;

import io.jverbs.QpType;

/** Ways to provoke an error, each a case of a row of the error matrix (catalogue F.6) or of sections G and H. */
public enum Fault {
    SOURCE_KEY(RC, Row.SOURCE),
    SOURCE_BOUNDS(RC, Row.SOURCE),
    SOURCE_DOMAIN(RC, Row.SOURCE),
    SINK_KEY(RC,
            Row.SINK),
    SINK_BOUNDS(RC, Row.SINK),
    SINK_RIGHT(RC, Row.SINK),
    REMOTE_KEY(RC, Row.REMOTE),
    REMOTE_BEFORE(
            RC, Row.REMOTE),
    REMOTE_BEHIND(RC, Row.REMOTE),
    REMOTE_RIGHT(RC, Row.REMOTE),
    REMOTE_DOMAIN(RC,
            Row.REMOTE),
    WINDOW_BOUNDS(RC, Row.REMOTE),
    WINDOW_RIGHT(RC, Row.REMOTE),
    WINDOW_GONE(RC,
            Row.REMOTE),
    NOT_ENABLED(RC, Row.NOT_ENABLED),
    UNALIGNED(RC,
            Row.INVALID),
    OTHER_MTU(RC, Row.INVALID),
    TOO_LONG(RC,
            Row.TOO_LONG),
    RECEIVE_KEY(RC, Row.RECEIVE),
    RECEIVE_BOUNDS(RC,
            Row.RECEIVE),
    RECEIVE_RIGHT(RC,
            Row.RECEIVE),
    RECEIVE_DOMAIN(RC,
            Row.RECEIVE),
    IMMEDIATE_KEY(RC,
            Row.IMMEDIATE),
    NOT_READY(RC,
            Row.NOT_READY),
    NOT_READY_IMMEDIATE(
            RC,
            Row.NOT_READY),
    INVALIDATE(
            RC,
            Row.INVALIDATE),
    UNREACHABLE_ERR(
            RC,
            Row.UNREACHABLE),
    UNREACHABLE_RESET(
            RC,
            Row.UNREACHABLE),
    FLUSH(
            RC,
            Row.FLUSH),
    BIND(
            RC,
            Row.BIND),
    LOCAL_INVALIDATE(
            RC,
            Row.BIND),
    UC_SOURCE(
            UC,
            Row.UNRELIABLE),
    UC_NOT_READY(
            UC,
            Row.UNRELIABLE),
    UC_REMOTE(
            UC,
            Row.UNRELIABLE),
    UC_TOO_LONG(
            UC,
            Row.UNRELIABLE),
    UC_RECEIVE(
            UC,
            Row.UNRELIABLE),
    UC_OPCODE(
            UC,
            Row.UNRELIABLE),
    UD_SOURCE(
            UD,
            Row.DATAGRAM),
    UD_NOT_READY(
            UD,
            Row.DATAGRAM),
    UD_QKEY(
            UD,
            Row.DATAGRAM),
    UD_TOO_LONG(
            UD,
            Row.DATAGRAM),
    UD_RECEIVE(
            UD,
            Row.DATAGRAM),
    UD_OPCODE(
            UD,
            Row.DATAGRAM);

    /** Rows of the error matrix. The last five belong to D.4, B.5, G and H. */
    public enum Row {
        SOURCE,
        SINK,
        REMOTE,
        NOT_ENABLED,
        INVALID,
        TOO_LONG,
        RECEIVE,
        IMMEDIATE,
        NOT_READY,
        INVALIDATE,
        UNREACHABLE,
        FLUSH,
        BIND,
        UNRELIABLE,
        DATAGRAM
    }

    public final QpType type;
    public final Row row;

    Fault(QpType type, Row row) {
        this.type = type;
        this.row = row;
    }

    /** Returns whether the fault ends in a timeout. Only sequences with short timeouts contain such faults. */
    boolean waits() {
        return row == Row.UNREACHABLE || row == Row.INVALIDATE;
    }

    /**
     * Returns whether the requester detects the fault before it sends the request. Requests before it in its chain may
     * then be lost as well.
     */
    public boolean local() {
        return row == Row.SOURCE || row == Row.SINK || this == UNALIGNED || row == Row.BIND;
    }
}
