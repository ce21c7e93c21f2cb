package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.DisconnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.MessageReceiptAck;
import io.jverbs.soft.management.message.PathFields;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.ReadyToUse;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.queue.DeferredWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One agent, whose peers are the test: what it sends, what it drops, and how much it keeps. */
final class CmAgentTest {
    private static final CmPath PATH = new CmPath(Gid.parse("::ffff:192.0.2.1"), Gid.parse("::ffff:192.0.2.2"));
    private static final long SERVICE = 0x0106_1D2F;
    private static final long PEER = 2;
    private static final int ACK_TIMEOUT = 19;

    private final DeferredWork.DeferredQueue deferred = new DeferredWork.DeferredQueue();
    private final CmNetwork clock = new CmNetwork(1, 0, 0);
    private final List<CmMessage> sent = new ArrayList<>();
    private final List<CmNotice> notices = new ArrayList<>();
    private final CmAgent agent = new CmAgent("test", deferred, 1, (mad, path) -> sent.add(CmMessage.decode(mad)),
            clock,
            CmDurations.STANDARD, new Random(1));

    private void receive(CmMessage message) {
        agent.receive(message.encode(0), PATH);
        deferred.run();
    }

    private CmMessage lastSent() {
        assertFalse(sent.isEmpty(), "nothing was sent");
        return sent.getLast();
    }

    private static ConnectRequest request(int commId, int qpn) {
        PathFields path = new PathFields(0xFFFF, 0xFFFF, PATH.remote(), PATH.local(), 0, 0, 0, 64, 0, false,
                ACK_TIMEOUT);
        return new ConnectRequest(commId, SERVICE, PEER, 0, qpn, 1, 1, CmDurations.RESPONSE_TIMEOUT, 0, false, 1,
                CmDurations.RESPONSE_TIMEOUT, 7, 0xFFFF, 3, 7, CmDurations.MAX_RETRIES, false, 0, path,
                PathFields.NONE, Ece.NONE, PrivateData.NONE);
    }

    private static ConnectReply reply(int commId, int remoteCommId, int qpn) {
        return new ConnectReply(commId, remoteCommId, 0, qpn, 1, 1, 1, 15, 0, false, 7, false, PEER, Ece.NONE,
                PrivateData.NONE);
    }

    private CmConnection connect(int qpn) {
        CmConnection made = agent.call(() -> agent.connection(notices::add));
        agent.run(() -> made.connect(request(made.localCommId(), qpn), PATH, CmDurations.PACKET_LIFE_TIME));
        return made;
    }

    private void listen() {
        agent.run(() -> agent.listen(new CmListener(SERVICE, notices::add, service -> {
            throw new AssertionError("no datagrams");
        })));
    }

    private long dropped(CmDropReason reason, CmAttribute attribute) {
        return agent.counters().dropped(reason, attribute);
    }

    @Test
    void messagesThatArriveFasterThanTheyAreProcessedAreDroppedAndCounted() {
        for (int i = 0; i < 2 * CmAgent.MAX_DUE; i++) {
            agent.receive(request(i, i).encode(0), PATH);
        }
        assertEquals(CmAgent.MAX_DUE, dropped(CmDropReason.NO_LISTENER, CmAttribute.REQ));
        assertEquals(CmAgent.MAX_DUE, dropped(CmDropReason.QUEUE_FULL, CmAttribute.REQ));
        deferred.run();
        assertEquals(CmAgent.MAX_DUE, sent.size());
        receive(request(0, 0));
        assertEquals(CmAgent.MAX_DUE + 1, sent.size());
    }

    /** K121. */
    @Test
    void theConnectionThatIsInTimewaitFirstLeavesItEarlyIfTooManyAre() {
        listen();
        for (int i = 0; i <= CmAgent.MAX_TIMEWAIT; i++) {
            assertEquals(i, agent.call(agent::timewaitCount));
            receive(request(i, i));
            CmConnection made = notices.getLast().connection();
            receive(new ConnectReject(i, made.localCommId(), CmMessageType.REP, RejectReason.STALE_CONNECTION,
                    PrivateData.NONE, PrivateData.NONE));
        }
        assertEquals(CmAgent.MAX_TIMEWAIT, agent.call(agent::timewaitCount));
        List<CmNotice> exits = notices.stream().filter(CmNotice.TimewaitExited.class::isInstance).toList();
        assertEquals(1, exits.size());
        assertEquals(notices.getFirst().connection(), exits.getFirst().connection());
        clock.runAll();
        assertEquals(0, agent.call(agent::size));
        assertEquals(CmAgent.MAX_TIMEWAIT + 1L,
                notices.stream().filter(CmNotice.TimewaitExited.class::isInstance).count());
    }

    /** K94, K110: the peer's connection has ID 7 and QPN 77. */
    @Test
    void aReplyOfAQueuePairThatIsConnectedIsRejectedAndTheRightOneAccepted() {
        CmConnection first = connect(100);
        receive(reply(7, first.localCommId(), 77));
        agent.run(() -> first.readyToUse(PrivateData.NONE));
        CmConnection second = connect(101);
        sent.clear();
        receive(reply(8, second.localCommId(), 77));
        assertEquals(List.of(CmAttribute.REJ, CmAttribute.DREQ), sent.stream().map(CmMessage::attribute).toList());
        ConnectReject reject = (ConnectReject) sent.getFirst();
        assertEquals(RejectReason.STALE_CONNECTION, reject.reason());
        assertEquals(CmMessageType.REP, reject.rejected());
        assertEquals(8, reject.remoteCommId());
        DisconnectRequest disconnect = (DisconnectRequest) lastSent();
        assertEquals(7, disconnect.remoteCommId());
        assertEquals(77, disconnect.remoteQpn());
        assertEquals(CmState.DREQ_SENT, first.state());
        assertEquals(1, dropped(CmDropReason.STALE_REP, CmAttribute.REP));
        assertEquals(CmState.REQ_SENT, second.state());
        receive(reply(9, second.localCommId(), 79));
        assertEquals(CmState.REP_RCVD, second.state());
        assertEquals(9, second.remoteCommId());
    }

    /** K110: as on Linux, which takes it for a REP that was responded to. The column is the QPN in the REP. */
    @ParameterizedTest
    @CsvSource({"77", "78"})
    void aReplyWithThePeersIdOfAnotherConnectionIsIgnoredAndTheRightOneAccepted(int qpn) {
        CmConnection first = connect(100);
        receive(reply(7, first.localCommId(), 77));
        CmConnection second = connect(101);
        sent.clear();
        receive(reply(7, second.localCommId(), qpn));
        assertEquals(List.of(), sent);
        assertEquals(1, dropped(CmDropReason.DUPLICATE, CmAttribute.REP));
        assertEquals(CmState.REP_RCVD, first.state());
        assertEquals(CmState.REQ_SENT, second.state());
        receive(reply(9, second.localCommId(), 79));
        assertEquals(CmState.REP_RCVD, second.state());
        assertEquals(9, second.remoteCommId());
    }

    private CmConnection accepted(int commId, int qpn) {
        listen();
        receive(request(commId, qpn));
        CmConnection made = notices.getLast().connection();
        agent.run(() -> made.accept(reply(made.localCommId(), commId, 100)));
        receive(new ReadyToUse(commId, made.localCommId(), PrivateData.NONE));
        assertEquals(CmState.ESTABLISHED, made.state());
        return made;
    }

    /** K48. */
    @Test
    void aReplyThatArrivesAgainIsRespondedToByTheRtuAgain() {
        CmConnection connection = connect(100);
        receive(reply(7, connection.localCommId(), 77));
        agent.run(() -> connection.readyToUse(PrivateData.NONE));
        CmMessage ready = lastSent();
        sent.clear();
        receive(reply(7, connection.localCommId(), 77));
        assertEquals(List.of(ready), sent);
        assertEquals(1, dropped(CmDropReason.DUPLICATE, CmAttribute.REP));
    }

    /** K48. */
    @Test
    void aDreqThatArrivesAgainIsRespondedToAgainInTimewait() {
        CmConnection connection = accepted(7, 77);
        DisconnectRequest request = new DisconnectRequest(7, connection.localCommId(), 100, PrivateData.NONE);
        receive(request);
        agent.run(() -> connection.disconnect(PrivateData.NONE));
        assertEquals(CmState.TIMEWAIT, connection.state());
        sent.clear();
        receive(request);
        assertEquals(CmAttribute.DREP, lastSent().attribute());
        assertEquals(1, dropped(CmDropReason.DUPLICATE, CmAttribute.DREQ));
    }

    @Test
    void aDreqForAnotherQueuePairIsDropped() {
        CmConnection connection = accepted(7, 77);
        receive(new DisconnectRequest(7, connection.localCommId(), 101, PrivateData.NONE));
        assertEquals(CmState.ESTABLISHED, connection.state());
        assertEquals(1, dropped(CmDropReason.DUPLICATE, CmAttribute.DREQ));
    }

    @Test
    void anRtuWithTheIdOfAnotherPeerIsDropped() {
        listen();
        receive(request(7, 77));
        CmConnection made = notices.getLast().connection();
        agent.run(() -> made.accept(reply(made.localCommId(), 7, 100)));
        receive(new ReadyToUse(8, made.localCommId(), PrivateData.NONE));
        assertEquals(CmState.REP_SENT, made.state());
        assertEquals(1, dropped(CmDropReason.UNKNOWN_ID, CmAttribute.RTU));
    }

    /** K105: the columns are the IDs that differ from the connection's, and the message that is rejected. */
    @ParameterizedTest
    @CsvSource({"1, 0, REQ", "0, 0, REQ", "1, 0, REP", "1, 0, OTHER", "0, 1, REQ", "0, 1, REP", "0, 1, OTHER"})
    void aRejWithoutBothIdsDoesNotEndAnEstablishedConnection(int sender, int receiver, CmMessageType rejected) {
        CmConnection neighbour = accepted(6, 76);
        CmConnection connection = accepted(7, 77);
        receive(new ConnectReject(7 + sender, connection.localCommId() + receiver, rejected,
                RejectReason.CONSUMER_DEFINED, PrivateData.NONE, PrivateData.NONE));
        receive(new ConnectReject(7, neighbour.localCommId(), rejected, RejectReason.CONSUMER_DEFINED,
                PrivateData.NONE, PrivateData.NONE));
        assertEquals(CmState.ESTABLISHED, connection.state());
        assertEquals(CmState.ESTABLISHED, neighbour.state());
        assertEquals(2, dropped(CmDropReason.UNKNOWN_ID, CmAttribute.REJ));
    }

    /** K105, K112: the column is the message that is rejected. */
    @ParameterizedTest
    @EnumSource(value = CmMessageType.class, names = {"REP", "OTHER"})
    void aRejWithBothIdsEndsAnEstablishedConnection(CmMessageType rejected) {
        CmConnection connection = accepted(7, 77);
        receive(new ConnectReject(7, connection.localCommId(), rejected, RejectReason.CONSUMER_DEFINED,
                PrivateData.NONE, PrivateData.NONE));
        assertEquals(CmState.TIMEWAIT, connection.state());
    }

    /** K105: the sender has no ID if no program was asked; the REP tells it otherwise. */
    @Test
    void aRejOfAReqNeedsTheIdOfTheReqOnly() {
        CmConnection connection = connect(100);
        receive(new ConnectReject(0, connection.localCommId(), CmMessageType.REQ, RejectReason.INVALID_SERVICE_ID,
                PrivateData.NONE, PrivateData.NONE));
        assertEquals(CmState.IDLE, connection.state());
        CmConnection other = connect(101);
        receive(new ConnectReject(8, other.localCommId(), CmMessageType.REQ, RejectReason.CONSUMER_DEFINED,
                PrivateData.NONE, PrivateData.NONE));
        assertEquals(CmState.IDLE, other.state());
    }

    /** K105: an MRA of a REP needs both IDs as well. */
    @Test
    void anMraOfARepWithTheIdOfAnotherPeerIsDropped() {
        listen();
        receive(request(7, 77));
        CmConnection made = notices.getLast().connection();
        agent.run(() -> made.accept(reply(made.localCommId(), 7, 100)));
        receive(new MessageReceiptAck(8, made.localCommId(), CmMessageType.REP, 24, PrivateData.NONE));
        assertEquals(CmState.REP_SENT, made.state());
        assertEquals(1, dropped(CmDropReason.UNKNOWN_ID, CmAttribute.MRA));
        receive(new MessageReceiptAck(7, made.localCommId(), CmMessageType.OTHER, 24, PrivateData.NONE));
        assertEquals(CmState.REP_SENT, made.state(), "it responds to a LAP");
        assertEquals(1, dropped(CmDropReason.DUPLICATE, CmAttribute.MRA));
        receive(new MessageReceiptAck(7, made.localCommId(), CmMessageType.REP, 24, PrivateData.NONE));
        assertEquals(CmState.MRA_REP_RCVD, made.state());
    }

    /** K57: 65,536 ms for the service timeout 24, and 2,048 ms for the ACK timeout, after the first MRA. */
    @Test
    void aSecondMraIsIgnored() {
        CmConnection connection = connect(100);
        MessageReceiptAck ack = new MessageReceiptAck(7, connection.localCommId(), CmMessageType.REQ,
                CmDurations.SERVICE_TIMEOUT, PrivateData.NONE);
        receive(ack);
        clock.runUntil(TimeUnit.SECONDS.toNanos(60));
        receive(ack);
        assertEquals(1, dropped(CmDropReason.DUPLICATE, CmAttribute.MRA));
        clock.runUntil(TimeUnit.MILLISECONDS.toNanos(65_536 + 2_048) - 1);
        assertEquals(1, sent.size());
        clock.runUntil(TimeUnit.MILLISECONDS.toNanos(65_536 + 2_048));
        assertEquals(2, sent.size());
        assertEquals(CmState.MRA_REQ_RCVD, connection.state());
    }

    /** K149: the columns are the offset of a byte, its value, and the counter. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0,  2,    cm_rx_bad_base_version
            1,  3,    cm_rx_bad_class
            2,  1,    cm_rx_bad_class_version
            3,  1,    cm_rx_bad_method
            17, 0x19, cm_rx_unknown_attribute
            """)
    void aMalformedDatagramIsCountedByItsReasonAndInTheSum(int offset, byte value, String counter) {
        byte[] bytes = request(7, 77).encode(0).toBytes();
        bytes[offset] = value;
        agent.receive(ManagementDatagram.of(bytes), PATH);
        assertCounted("cm_rx_malformed", counter);
        assertEquals(0, agent.counters().byName().get("cm_rx_msgs"));
    }

    /** Fails unless each of these counters is 1 and all others of messages without effect are 0. */
    private void assertCounted(String... counters) {
        Map<String, Long> expected = new TreeMap<>();
        List.of(counters).forEach(counter -> expected.put(counter, 1L));
        Map<String, Long> counted = new TreeMap<>(agent.counters().byName());
        counted.keySet().removeIf(name -> !name.startsWith("cm_rx_") || name.startsWith("cm_rx_msgs"));
        counted.values().removeIf(count -> count == 0);
        assertEquals(expected, counted);
    }

    /** K23, K54, K94: the column is why it is refused. */
    @ParameterizedTest
    @CsvSource({"cm_rx_no_listener", "cm_rx_foreign_gid", "cm_rx_stale_req"})
    void aRequestThatIsRefusedIsCountedByItsReasonAndInTheSum(String counter) {
        if (!counter.equals("cm_rx_no_listener")) {
            listen();
        }
        if (counter.equals("cm_rx_stale_req")) {
            receive(request(6, 77));
        }
        CmPath path = counter.equals("cm_rx_foreign_gid") ? new CmPath(PATH.local(), PATH.local()) : PATH;
        agent.receive(request(7, 77).encode(0), path);
        deferred.run();
        assertEquals(CmAttribute.REJ, lastSent().attribute());
        assertCounted("cm_rx_refused", counter);
    }

    /** K113. */
    @Test
    void aRejSaysWhichMessageItRejects() {
        listen();
        receive(request(7, 77));
        CmConnection passive = notices.getLast().connection();
        agent.run(() -> passive.reject(RejectReason.CONSUMER_DEFINED, PrivateData.NONE, PrivateData.NONE));
        assertEquals(CmMessageType.REQ, ((ConnectReject) lastSent()).rejected());
        CmConnection active = connect(100);
        receive(reply(8, active.localCommId(), 78));
        agent.run(() -> active.reject(RejectReason.CONSUMER_DEFINED, PrivateData.NONE, PrivateData.NONE));
        assertEquals(CmMessageType.REP, ((ConnectReject) lastSent()).rejected());
        receive(request(9, 79));
        receive(new ConnectReject(9, notices.getLast().connection().localCommId(), CmMessageType.OTHER,
                RejectReason.STALE_CONNECTION, PrivateData.NONE, PrivateData.NONE));
        receive(request(9, 79));
        assertEquals(CmMessageType.REQ, ((ConnectReject) lastSent()).rejected());
    }

    /** K32: the sender of the REQ does not know this side's ID, and names itself by its GUID. */
    @Test
    void aRejBecauseOfATimeoutFindsItsConnectionByTheGuidOfThePeer() {
        listen();
        receive(request(7, 77));
        byte[] guid = new byte[Long.BYTES];
        guid[Long.BYTES - 1] = (byte) PEER;
        receive(new ConnectReject(7, 0, CmMessageType.OTHER, RejectReason.TIMEOUT, PrivateData.of(guid),
                PrivateData.NONE));
        assertEquals(CmNotice.Rejected.class, notices.getLast().getClass());
        assertEquals(0, agent.call(agent::size));
    }
}
