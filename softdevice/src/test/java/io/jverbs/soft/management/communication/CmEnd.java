package io.jverbs.soft.management.communication;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.PathFields;
import io.jverbs.soft.management.message.PrivateData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A program on one device that connects or accepts, and records what it is told. */
final class CmEnd {
    static final long SERVICE = 0x0106_1D2F;
    private static final int MTU_1024 = 3;
    private static final int ACK_TIMEOUT = 19;
    private static final int ACK_DELAY = 15;

    final Gid gid;
    final CmAgent agent;
    final List<String> notices = new ArrayList<>();
    private final long guid;
    private final int qpn;
    private boolean accepts = true;
    CmConnection connection;

    CmEnd(CmNetwork network, int number) {
        this.gid = Gid.parse("::ffff:192.0.2." + number);
        this.guid = number;
        this.qpn = 100 * number;
        this.agent = network.agent(gid, guid);
    }

    /** Makes the program leave requests without a response. */
    void ignoreRequests() {
        accepts = false;
    }

    CmListener listen() {
        CmListener listener = new CmListener(SERVICE, this::told, service -> {
            throw new AssertionError("no datagrams");
        });
        agent.run(() -> agent.listen(listener));
        return listener;
    }

    void connect(CmEnd to) {
        agent.run(() -> {
            connection = agent.connection(this::told);
            PathFields path = new PathFields(0xFFFF, 0xFFFF, gid, to.gid, 0, 0, 0, 64, 0, false, ACK_TIMEOUT);
            connection.connect(new ConnectRequest(connection.localCommId(), SERVICE, guid, 0, qpn, 1, 1,
                    CmDurations.RESPONSE_TIMEOUT, 0, false, 1, CmDurations.RESPONSE_TIMEOUT, 7, 0xFFFF, MTU_1024, 7,
                    CmDurations.MAX_RETRIES, false, 0, path, PathFields.NONE, Ece.NONE, PrivateData.NONE),
                    new CmPath(gid, to.gid), CmDurations.PACKET_LIFE_TIME);
        });
    }

    void accept() {
        agent.run(() -> connection.accept(new ConnectReply(connection.localCommId(), connection.remoteCommId(), 0, qpn,
                2, 1, 1, ACK_DELAY, 0, false, 7, false, guid, Ece.NONE, PrivateData.NONE)));
    }

    void disconnect() {
        agent.run(() -> connection.disconnect(PrivateData.NONE));
    }

    private void told(CmNotice notice) {
        notices.add(notice.getClass().getSimpleName());
        switch (notice) {
            case CmNotice.RequestReceived request -> {
                connection = request.connection();
                agent.run(connection::prepareReceiptAck);
                if (accepts) {
                    accept();
                }
            }
            case CmNotice.ReplyReceived reply ->
                agent.run(() -> reply.connection().readyToUse(PrivateData.NONE));
            case CmNotice.DisconnectRequested request ->
                agent.run(() -> request.connection().disconnect(PrivateData.NONE));
            default -> {
                // only recorded
            }
        }
    }

    int count(Class<? extends CmNotice> type) {
        return Collections.frequency(notices, type.getSimpleName());
    }

    boolean isEstablished() {
        return count(CmNotice.ReplyReceived.class) + count(CmNotice.Established.class) != 0;
    }
}
