package io.jverbs.soft.management;

import io.jverbs.Errno;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.communication.CmState;
import io.jverbs.soft.management.communication.SidrResolution;
import io.jverbs.soft.management.communication.SidrService;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;

/** An ID of a datagram service: it asks for the queue pair of its peer with a SIDR_REQ, or responds to one. */
final class DatagramService implements CmService {
    /** The maximum length of the program's private data in a SIDR_REQ, in bytes. */
    static final int REQUEST_DATA = 180;
    /** The maximum length of private data in a SIDR_REP, in bytes. */
    static final int REPLY_DATA = 136;
    /** The Q_Key of all queue pairs of port space UDP, RDMA_UDP_QKEY of Linux. */
    static final int QKEY = 0x0123_4567;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final SoftCmId id;
    private final CmDevice device;
    /** The lookup of this ID; null if it is the passive side or has received the reply. */
    private SidrResolution resolution;
    /** The lookup of the peer; null if this ID is the active side. */
    private SidrService request;
    private Ece localEce = Ece.NONE;
    private Ece remoteEce = Ece.NONE;

    DatagramService(SoftCmId id, CmDevice device) {
        this.id = id;
        this.device = device;
    }

    @Override
    public CmState state() {
        return null;
    }

    @Override
    public void connect(CmParameters parameters) {
        id.checkLength("connect", parameters.privateData(), REQUEST_DATA);
        CmPath ends = id.path();
        resolution = device.agent().resolution(this::handleResult);
        PrivateData data = device.messages().header(id, ends).before(parameters.privateData());
        resolution.send(new SidrRequest(resolution.requestId(), DEFAULT_PKEY,
                ConnectMessages.serviceId(id.type().portSpace(), id.remote().getPort()), data), ends);
    }

    /** Takes over a SIDR_REQ of the peer. */
    void requested(SidrService received) {
        request = received;
    }

    /** Returns the request of the peer; throws EINVAL if there is none or it was responded to. */
    private SidrService existing(String operation) {
        if (request == null) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is in state " + id.state()
                    + ", but no peer has asked it for its queue pair: allowed for IDs of connect requests");
        }
        request.requireOpen(operation);
        return request;
    }

    @Override
    public void checkAccept(CmParameters parameters) {
        existing("accept");
        parameters.requireQueuePair("accept");
        id.checkLength("accept", parameters.privateData(), REPLY_DATA);
    }

    @Override
    public void accept(CmParameters parameters) {
        reply(request, SidrReply.VALID, parameters.qpNumber(), QKEY, parameters.privateData());
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        id.checkLength("reject", privateData, REPLY_DATA);
        if (reason != RejectReason.CONSUMER_DEFINED) {
            throw new VerbsException("reject", Errno.EINVAL, "reason " + reason + ", allowed is "
                    + RejectReason.CONSUMER_DEFINED + ": the vendor's options of a UD peer cannot be rejected");
        }
        reply(existing("reject"), SidrReply.REJECTED, 0, 0, privateData);
    }

    private void reply(SidrService service, int status, int qpn, int qkey, byte[] data) {
        service.reply(new SidrReply(service.request().requestId(), status, qpn, service.request().serviceId(), qkey,
                localEce, PrivateData.NONE, PrivateData.of(data)));
    }

    @Override
    public void establish() {
        throw noConnection("establish");
    }

    @Override
    public void notify(int event) {
        throw noConnection("notify");
    }

    private VerbsException noConnection(String operation) {
        return new VerbsException(operation, Errno.EINVAL, "the ID is in state " + id.state()
                + ", but a UD ID has no connection: allowed for IDs of connections");
    }

    @Override
    public void checkDisconnect() {
        // Linux refuses no disconnect of a UD ID
    }

    @Override
    public void disconnect() {
        // there is no connection; Linux does nothing either
    }

    @Override
    public QpAttributes qpAttributes(QpState target) {
        QpAttributes.Builder all = QpAttributes.builder().state(target);
        return switch (target) {
            case INIT -> all.pkeyIndex(0).port(device.port().number()).qkey(QKEY).build();
            case RTR -> all.build();
            case RTS -> all.sqPsn(id.startingPsn()).build();
            default -> throw new IllegalArgumentException(target.toString());
        };
    }

    @Override
    public void checkNegotiated() {
        // the peers of a UD queue pair are not among its attributes
        id.ownGid("init_qp_attr");
    }

    @Override
    public void localEce(CmIdOps.Ece ece) {
        localEce = new Ece(ece.vendorId(), ece.options());
    }

    @Override
    public CmIdOps.Ece remoteEce() {
        return new CmIdOps.Ece(remoteEce.vendorId(), remoteEce.options());
    }

    @Override
    public void destroy() {
        if (resolution != null) {
            resolution.cancel();
        }
        if (request != null && !request.isReplied()) {
            reply(request, SidrReply.REJECTED, 0, 0, new byte[0]);
        }
    }

    /** Turns the result into an event. Called without the lock. */
    private void handleResult(SidrResolution.Result result) {
        device.agent().run(() -> {
            switch (result) {
                case SidrResolution.Result.Unreachable unreachable ->
                    id.raise(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.code(), null);
                case SidrResolution.Result.Replied replied -> process(replied.reply());
            }
        });
    }

    private void process(SidrReply reply) {
        remoteEce = reply.ece();
        if (reply.status() != SidrReply.VALID) {
            id.raise(CmEventType.UNREACHABLE, reply.status(), CmEventParameters.of(reply));
        } else if (reply.qkey() != QKEY) {
            id.raise(CmEventType.ADDR_ERROR, -Errno.EINVAL.code(), null);
        } else {
            CmPath ends = id.path();
            id.raise(CmEventType.ESTABLISHED, 0, CmEventParameters.of(reply),
                    NegotiatedAttributes.destination(device.port(), ends, 0, id.options().typeOfService()));
        }
    }
}
