package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.ManagementDatagram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The transaction IDs of the messages of a connection. */
final class TransactionIdTest {
    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmEnd active = new CmEnd(network, 1);
    private final CmEnd passive = new CmEnd(network, 2);
    private final List<ManagementDatagram> sent = new ArrayList<>();

    private void record(CmAttribute lost) {
        network.filter((mad, path) -> {
            sent.add(mad);
            return mad.attribute() != lost;
        });
    }

    private void runSeconds(long seconds) {
        network.runUntil(network.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Returns the transaction ID that all messages of a kind have. */
    private long transaction(CmAttribute attribute) {
        List<Long> all = sent.stream().filter(mad -> mad.attribute() == attribute)
                .map(ManagementDatagram::transactionId).distinct().toList();
        assertEquals(1, all.size(), attribute.name());
        return all.getFirst();
    }

    /** K104. */
    @Test
    void theMessagesUpToTheRtuHaveTheTransactionOfTheReqAndThoseOfTheDisconnectOneOfTheirOwn() {
        passive.listen();
        record(null);
        active.connect(passive);
        runSeconds(1);
        active.disconnect();
        runSeconds(1);
        assertEquals(transaction(CmAttribute.REQ), transaction(CmAttribute.REP));
        assertEquals(transaction(CmAttribute.REQ), transaction(CmAttribute.RTU));
        assertNotEquals(transaction(CmAttribute.REQ), transaction(CmAttribute.DREQ));
        assertEquals(transaction(CmAttribute.DREQ), transaction(CmAttribute.DREP));
    }

    /** K48, K104. */
    @Test
    void anMraARejAndARepeatedReqHaveTheTransactionOfTheReq() {
        passive.listen();
        passive.ignoreRequests();
        record(null);
        active.connect(passive);
        runSeconds(10);
        passive.agent.run(passive.connection::destroy);
        runSeconds(1);
        assertEquals(2, sent.stream().filter(mad -> mad.attribute() == CmAttribute.REQ).count());
        assertEquals(transaction(CmAttribute.REQ), transaction(CmAttribute.MRA));
        assertEquals(transaction(CmAttribute.REQ), transaction(CmAttribute.REJ));
    }

    /** K48, K104. */
    @Test
    void aRepeatedDreqAndItsDrepHaveTheTransactionOfTheFirst() {
        passive.listen();
        active.connect(passive);
        runSeconds(1);
        record(CmAttribute.DREP);
        active.disconnect();
        runSeconds(20);
        assertEquals(transaction(CmAttribute.DREQ), transaction(CmAttribute.DREP));
    }

    /** K104: each connect has a transaction and an ID of its own. */
    @Test
    void twoConnectsDifferInTransactionAndId() {
        record(null);
        active.connect(passive);
        int first = active.connection.localCommId();
        active.connect(passive);
        runSeconds(1);
        assertNotEquals(first, active.connection.localCommId());
        assertEquals(2, sent.stream().filter(mad -> mad.attribute() == CmAttribute.REQ)
                .map(ManagementDatagram::transactionId).distinct().count());
    }
}
