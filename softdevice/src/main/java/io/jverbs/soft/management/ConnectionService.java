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

/** An ID of a connection: sends what its {@link CmConnection} sends, and turns its notices into events. */
final class ConnectionService implements CmService {
    /** The maximum length of the program's private data in a REQ, in bytes. */
    static final int REQUEST_DATA = 56;
    /** The maximum length of private data in a REP, in bytes. */
    static final int REPLY_DATA = 196;
    /** The maximum length of private data in a REJ, in bytes. */
    static final int REJECT_DATA = 148;

    private final SoftCmId id;
    private final CmDevice device;
    private final NegotiatedAttributes negotiated = new NegotiatedAttributes();
    private CmConnection connection;
    private Ece localEce = Ece.NONE;

    ConnectionService(SoftCmId id, CmDevice device) {
        this.id = id;
        this.device = device;
    }

    @Override
    public void connect(CmParameters parameters) {
        SoftCmId.checkLength("connect", parameters.privateData(), REQUEST_DATA);
        CmPath ends = id.path("connect");
        CmConnection made = device.agent().connection(this::handleNotice);
        ConnectRequest request = device.messages().request(made.localCommId(), id, ends, localEce, parameters);
        made.connect(request, ends, id.options().lifeTime());
        negotiated.reqSent(request);
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
            throw new VerbsException(operation, Errno.EINVAL, "the ID has no connection");
        }
        return connection;
    }

    @Override
    public void accept(CmParameters parameters) {
        SoftCmId.checkLength("accept", parameters.privateData(), REPLY_DATA);
        ConnectReply reply = device.messages().reply(existing("accept"), id.startingPsn(), localEce, parameters);
        connection.accept(reply);
        negotiated.repSent(reply);
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        SoftCmId.checkLength("reject", privateData, REJECT_DATA);
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
            throw new VerbsException("notify", Errno.EINVAL, "event " + event + ", allowed is COMM_EST");
        }
        if (!existing("notify").communicationEstablished()) {
            boolean done = connection.state() == CmState.ESTABLISHED;
            throw new VerbsException("notify", done ? Errno.EISCONN : Errno.EINVAL,
                    "the connection is in state " + connection.state());
        }
    }

    /** Sends a DREQ or a DREP. */
    @Override
    public void disconnect() {
        CmState state = existing("disconnect").state();
        if (state != CmState.TIMEWAIT && state != CmState.DREQ_SENT && state != CmState.IDLE) {
            connection.disconnect(PrivateData.NONE);
        }
    }

    @Override
    public QpAttributes qpAttributes(QpState target) {
        QpAttributes attributes = negotiated.attributes(target, device.port(),
                target == QpState.INIT ? null : id.path("init_qp_attr"), id.startingPsn());
        return target == QpState.RTS
                ? attributes.toBuilder().timeout(id.options().ackTimeout(attributes.timeout())).build()
                : attributes;
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
