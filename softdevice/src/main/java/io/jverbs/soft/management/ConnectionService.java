package io.jverbs.soft.management;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmConnection;
import io.jverbs.soft.management.communication.CmNotice;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.communication.CmState;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.util.EnumSet;
import java.util.Set;

/** An ID of a connection: sends what its {@link CmConnection} sends, and turns its notices into events. */
final class ConnectionService implements CmService {
    /** The maximum length of the program's private data in a REQ, in bytes. */
    static final int REQUEST_DATA = 56;
    /** The maximum length of private data in a REP, in bytes. */
    static final int REPLY_DATA = 196;
    /** The maximum length of private data in a REJ, in bytes. */
    static final int REJECT_DATA = 148;

    /** The states in which the values of the peer are known, as in {@code cm_init_qp_rtr_attr()} of Linux. */
    private static final Set<CmState> NEGOTIATED = EnumSet.of(CmState.REQ_RCVD, CmState.MRA_REQ_SENT, CmState.REP_RCVD,
            CmState.MRA_REP_SENT, CmState.REP_SENT, CmState.MRA_REP_RCVD, CmState.ESTABLISHED);

    private final SoftCmId id;
    private final CmDevice device;
    private final NegotiatedAttributes negotiated;
    private CmConnection connection;
    private Ece localEce = Ece.NONE;

    ConnectionService(SoftCmId id, CmDevice device) {
        this.id = id;
        this.device = device;
        this.negotiated = new NegotiatedAttributes(id.type().qpType());
    }

    @Override
    public CmState state() {
        return connection == null ? null : connection.state();
    }

    @Override
    public void connect(CmParameters parameters) {
        parameters.requireQueuePair("connect");
        id.checkLength("connect", parameters.privateData(), REQUEST_DATA);
        CmPath ends = id.path();
        CmConnection made = device.agent().connection(this::handleNotice);
        ConnectRequest request = device.messages().request(made.localCommId(), id, ends, localEce, parameters);
        made.connect(request, ends, id.options().lifeTime());
        negotiated.reqSent(request, id.options().lifeTime());
        connection = made;
    }

    /** Takes over the connection that a REQ has created. */
    void requested(CmConnection made, ConnectRequest request) {
        connection = made;
        made.handler(this::handleNotice);
        negotiated.reqReceived(request);
    }

    private CmConnection existing(String operation) {
        if (connection == null) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is in state " + id.state()
                    + ", but has no connection: allowed are [CONNECT, DISCONNECT] with one");
        }
        return connection;
    }

    @Override
    public void accept(CmParameters parameters) {
        ConnectReply reply = device.messages().reply(connection, id.startingPsn(), localEce, parameters);
        connection.accept(reply);
        negotiated.repSent(reply);
    }

    @Override
    public void checkAccept(CmParameters parameters) {
        existing("accept").checkAccept();
        parameters.requireQueuePair("accept");
        id.checkLength("accept", parameters.privateData(), REPLY_DATA);
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        id.checkLength("reject", privateData, REJECT_DATA);
        if (reason != RejectReason.CONSUMER_DEFINED && reason != RejectReason.VENDOR_OPTION_NOT_SUPPORTED) {
            throw new VerbsException("reject", Errno.EINVAL, "reason " + reason + ", allowed are "
                    + RejectReason.CONSUMER_DEFINED + " and " + RejectReason.VENDOR_OPTION_NOT_SUPPORTED);
        }
        existing("reject").reject(reason, PrivateData.NONE, PrivateData.of(privateData));
    }

    @Override
    public void establish() {
        existing("establish").readyToUse(PrivateData.NONE);
    }

    @Override
    public void notify(int event) {
        if (event != AsyncEventType.COMM_EST.code()) {
            throw new VerbsException("notify", Errno.EINVAL,
                    "event " + AsyncEventType.of(event) + " (" + event + "), allowed is COMM_EST");
        }
        if (!existing("notify").communicationEstablished()) {
            boolean done = connection.state() == CmState.ESTABLISHED;
            throw new VerbsException("notify", done ? Errno.EISCONN : Errno.EINVAL,
                    "the connection is in state " + connection.state() + ", allowed are REP_SENT, MRA_REP_RCVD");
        }
    }

    /**
     * Sends a DREQ or a DREP. As in {@code rdma_disconnect()} of Linux, which ignores that neither can be sent, a
     * connection that is not established yet, or has ended, stays as it is.
     */
    @Override
    public void disconnect() {
        if (connection.canDisconnect()) {
            connection.disconnect(PrivateData.NONE);
        }
    }

    @Override
    public void checkDisconnect() {
        existing("disconnect");
    }

    @Override
    public QpAttributes qpAttributes(QpState target) {
        return negotiated.attributes(target, device.port(), target == QpState.INIT ? null : id.path(),
                id.startingPsn(), id.options());
    }

    @Override
    public void checkNegotiated() {
        id.require("init_qp_attr", CmIdState.CONNECT);
        if (!NEGOTIATED.contains(existing("init_qp_attr").state())) {
            throw new VerbsException("init_qp_attr", Errno.EINVAL,
                    "the connection is in state " + connection.state() + ", allowed are " + NEGOTIATED);
        }
    }

    @Override
    public void localEce(CmIdOps.Ece ece) {
        localEce = new Ece(ece.vendorId(), ece.options());
    }

    @Override
    public CmIdOps.Ece remoteEce() {
        Ece ece = negotiated.ece();
        return new CmIdOps.Ece(ece.vendorId(), ece.options());
    }

    @Override
    public void destroy() {
        if (connection != null) {
            connection.destroy();
        }
    }

    /** Turns what happened to the connection into an event. Called without the lock. */
    private void handleNotice(CmNotice notice) {
        device.agent().run(() -> process(notice));
    }

    private void process(CmNotice notice) {
        switch (notice) {
            case CmNotice.RequestReceived received -> throw new IllegalStateException(received.toString());
            case CmNotice.ReplyReceived received -> {
                negotiated.repReceived(received.reply());
                received.connection().prepareReceiptAck();
                id.raise(CmEventType.CONNECT_RESPONSE, 0, CmEventParameters.of(received.reply()));
            }
            case CmNotice.Established established -> id.raise(CmEventType.ESTABLISHED, 0, null);
            case CmNotice.Rejected rejected ->
                ended(CmEventType.REJECTED, rejected.reject().reason(), CmEventParameters.of(rejected.reject()));
            case CmNotice.Unreachable unreachable ->
                ended(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.code(), null);
            case CmNotice.DisconnectRequested requested -> disconnected(0);
            case CmNotice.Disconnected ended -> disconnected(ended.timedOut() ? -Errno.ETIMEDOUT.code() : 0);
            case CmNotice.TimewaitExited exited -> {
                if (id.state() == CmIdState.DISCONNECT) {
                    id.raise(CmEventType.TIMEWAIT_EXIT, 0, null);
                }
            }
        }
    }

    /** Reports the end of a connection that was not established. */
    private void ended(int type, int status, CmParameters parameters) {
        if (id.state() == CmIdState.CONNECT) {
            id.raise(type, status, parameters);
        }
    }

    /** Reports the end of a connection, once. */
    private void disconnected(int status) {
        if (id.state() == CmIdState.CONNECT) {
            id.state(CmIdState.DISCONNECT);
            id.raise(CmEventType.DISCONNECTED, status, null);
        }
    }
}
