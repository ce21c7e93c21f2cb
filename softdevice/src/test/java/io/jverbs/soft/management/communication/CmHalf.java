package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.DisconnectReply;
import io.jverbs.soft.management.message.DisconnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.MessageReceiptAck;
import io.jverbs.soft.management.message.PathFields;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.ReadyToUse;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.queue.DeferredWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One half of a connection in a state of {@link Situation}. Its peer is the test, which sends each message itself. */
final class CmHalf {
    static final long GUID = 0x0102_0304_0506_0708L;
    static final int PEER_ID = 7;
    private static final CmPath PATH = new CmPath(Gid.parse("::ffff:192.0.2.1"), Gid.parse("::ffff:192.0.2.2"));
    private static final long PEER_GUID = 2;
    private static final long SERVICE = 0x0106_1D2F;
    private static final int QPN = 100;
    private static final int PEER_QPN = 77;
    private static final int ACK_TIMEOUT = 19;
    private static final int ACK_DELAY = 15;
    private static final int MTU_1024 = 3;

    private final DeferredWork.DeferredQueue deferred = new DeferredWork.DeferredQueue();
    final CmNetwork clock = new CmNetwork(1, 0, 0);
    final List<CmMessage> sent = new ArrayList<>();
    final List<CmNotice> notices = new ArrayList<>();
    final CmAgent agent = new CmAgent("test", deferred, GUID, (mad, path) -> sent.add(CmMessage.decode(mad)), clock,
            CmDurations.STANDARD, new Random(1));
    CmConnection connection;

    /** A state, and for an established connection the side. */
    enum Situation {
        IDLE,
        REQ_SENT,
        MRA_REQ_RCVD,
        REQ_RCVD,
        MRA_REQ_SENT,
        REP_SENT,
        MRA_REP_RCVD,
        REP_RCVD,
        MRA_REP_SENT,
        ACTIVE_ESTABLISHED,
        PASSIVE_ESTABLISHED,
        DREQ_SENT,
        DREQ_RCVD,
        TIMEWAIT;

        CmState state() {
            return this == ACTIVE_ESTABLISHED || this == PASSIVE_ESTABLISHED
                    ? CmState.ESTABLISHED
                    : CmState.valueOf(name());
        }
    }

    /** Makes a half by the messages and calls that lead to a state, and forgets what it sent and was told. */
    static CmHalf in(Situation situation) {
        CmHalf half = new CmHalf();
        half.enter(situation);
        assertEquals(situation.state(), half.connection.state());
        half.sent.clear();
        half.notices.clear();
        return half;
    }

    private void enter(Situation situation) {
        switch (situation) {
            case IDLE -> connection = agent.call(() -> agent.connection(notices::add));
            case REQ_SENT -> {
                enter(Situation.IDLE);
                agent.run(() -> connection.connect(request(connection.localCommId(), QPN, GUID), PATH,
                        CmDurations.PACKET_LIFE_TIME));
            }
            case MRA_REQ_RCVD -> {
                enter(Situation.REQ_SENT);
                receiveMra(CmMessageType.REQ);
            }
            case REQ_RCVD -> {
                CmListener listener = new CmListener(SERVICE, notices::add, service -> {
                    throw new AssertionError("no datagrams");
                });
                agent.run(() -> agent.listen(listener));
                receiveReq();
                agent.run(() -> agent.unlisten(listener));
                connection = notices.getLast().connection();
            }
            case MRA_REQ_SENT -> {
                enter(Situation.REQ_RCVD);
                agent.run(connection::prepareReceiptAck);
            }
            case REP_SENT -> {
                enter(Situation.MRA_REQ_SENT);
                accept();
            }
            case MRA_REP_RCVD -> {
                enter(Situation.REP_SENT);
                receiveMra(CmMessageType.REP);
            }
            case REP_RCVD -> {
                enter(Situation.REQ_SENT);
                receiveRep();
            }
            case MRA_REP_SENT -> {
                enter(Situation.REP_RCVD);
                agent.run(connection::prepareReceiptAck);
            }
            case ACTIVE_ESTABLISHED -> {
                enter(Situation.REP_RCVD);
                agent.run(() -> connection.readyToUse(PrivateData.NONE));
            }
            case PASSIVE_ESTABLISHED -> {
                enter(Situation.REP_SENT);
                receiveRtu();
            }
            case DREQ_SENT -> {
                enter(Situation.ACTIVE_ESTABLISHED);
                disconnect();
            }
            case DREQ_RCVD -> {
                enter(Situation.PASSIVE_ESTABLISHED);
                receiveDreq();
            }
            case TIMEWAIT -> {
                enter(Situation.DREQ_SENT);
                receiveDrep();
            }
        }
    }

    /** Lets seconds pass until something was told. */
    void awaitNotice(int seconds) {
        for (int i = 0; i < seconds && notices.isEmpty(); i++) {
            clock.runUntil(clock.nanoTime() + TimeUnit.SECONDS.toNanos(1));
        }
    }

    private void receive(CmMessage message) {
        agent.receive(message.encode(1), PATH);
        deferred.run();
    }

    private static ConnectRequest request(int commId, int qpn, long guid) {
        PathFields path = new PathFields(0xFFFF, 0xFFFF, PATH.remote(), PATH.local(), 0, 0, 0, 64, 0, false,
                ACK_TIMEOUT);
        return new ConnectRequest(commId, SERVICE, guid, 0, qpn, 1, 1, CmDurations.RESPONSE_TIMEOUT, 0, false, 1,
                CmDurations.RESPONSE_TIMEOUT, 7, 0xFFFF, MTU_1024, 7, CmDurations.MAX_RETRIES, false, 0, path,
                PathFields.NONE, Ece.NONE, PrivateData.NONE);
    }

    private static ConnectReply reply(int commId, int remoteCommId, int qpn, long guid) {
        return new ConnectReply(commId, remoteCommId, 0, qpn, 1, 1, 1, ACK_DELAY, 0, false, 7, false, guid, Ece.NONE,
                PrivateData.NONE);
    }

    void accept() {
        agent.run(() -> connection.accept(reply(connection.localCommId(), PEER_ID, QPN, GUID)));
    }

    void disconnect() {
        agent.run(() -> connection.disconnect(PrivateData.NONE));
    }

    void receiveReq() {
        receive(request(PEER_ID, PEER_QPN, PEER_GUID));
    }

    void receiveRep() {
        receive(reply(PEER_ID, connection.localCommId(), PEER_QPN, PEER_GUID));
    }

    void receiveMra(CmMessageType acknowledged) {
        receive(new MessageReceiptAck(PEER_ID, connection.localCommId(), acknowledged, CmDurations.SERVICE_TIMEOUT,
                PrivateData.NONE));
    }

    void receiveRtu() {
        receive(new ReadyToUse(PEER_ID, connection.localCommId(), PrivateData.NONE));
    }

    void receiveRej(boolean stale) {
        // K105: a REJ of another message is for the connection with the IDs of both sides
        CmMessageType rejected = connection.remoteCommId() == 0 ? CmMessageType.REQ : CmMessageType.OTHER;
        receive(new ConnectReject(PEER_ID, connection.localCommId(), rejected,
                stale ? RejectReason.STALE_CONNECTION : RejectReason.CONSUMER_DEFINED, PrivateData.NONE,
                PrivateData.NONE));
    }

    void receiveDreq() {
        receive(new DisconnectRequest(PEER_ID, connection.localCommId(), QPN, PrivateData.NONE));
    }

    void receiveDrep() {
        receive(new DisconnectReply(PEER_ID, connection.localCommId(), PrivateData.NONE));
    }
}
