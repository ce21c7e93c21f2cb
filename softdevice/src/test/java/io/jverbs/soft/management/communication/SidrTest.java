package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The lookup of a queue pair by a service ID, in virtual time. */
final class SidrTest {
    private static final long SERVICE = 0x0111_1D2F;
    private static final int PKEY = 0xFFFF;
    /** Between two sends. */
    private static final long MILLIS = 4096;
    private static final int SENDS = 16;

    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final Gid client = Gid.parse("::ffff:192.0.2.1");
    private final Gid server = Gid.parse("::ffff:192.0.2.2");
    private final CmPath path = new CmPath(client, server);
    private final CmAgent asking = network.agent(client, 1);
    private final CmAgent asked = network.agent(server, 2);
    private final List<SidrResolution.Result> results = new ArrayList<>();
    private final List<SidrService> requests = new ArrayList<>();

    private SidrResolution ask() {
        return asking.call(() -> {
            SidrResolution made = asking.resolution(results::add);
            made.send(new SidrRequest(made.requestId(), PKEY, SERVICE, PrivateData.NONE), path);
            return made;
        });
    }

    private void listen() {
        asked.run(() -> asked.listen(new CmListener(SERVICE, notice -> {
            throw new AssertionError("no connections");
        }, requests::add)));
    }

    private void runMillis(long millis) {
        network.runUntil(network.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void reply(SidrService request) {
        asked.run(() -> request.reply(new SidrReply(request.request().requestId(), SidrReply.VALID, 3, SERVICE, 4,
                Ece.NONE, PrivateData.NONE, PrivateData.NONE)));
    }

    private long duplicates() {
        return asked.counters().dropped(CmDropReason.DUPLICATE, CmAttribute.SIDR_REQ);
    }

    /** K108: 16 sends, each after 4096 ms. */
    @Test
    void aRequestWithoutReplyIsSent16TimesAndThenUnreachable() {
        network.filter((mad, way) -> false);
        ask();
        runMillis(SENDS * MILLIS - 1);
        assertEquals(List.of(), results);
        assertEquals(SENDS, asking.counters().sent(CmAttribute.SIDR_REQ));
        runMillis(1);
        assertEquals(List.of(new SidrResolution.Result.Unreachable()), results);
        network.runAll();
        assertEquals(SENDS, asking.counters().sent(CmAttribute.SIDR_REQ));
        assertEquals(0, asking.call(asking::size));
    }

    /** K123: the program has not responded when the request arrives again. */
    @Test
    void aRequestThatArrivesAgainWhileItIsPendingIsIgnored() {
        listen();
        ask();
        runMillis(2 * MILLIS + 1);
        assertEquals(3, asking.counters().sent(CmAttribute.SIDR_REQ));
        assertEquals(1, requests.size());
        assertEquals(2, duplicates());
        reply(requests.getFirst());
        network.runAll();
        assertInstanceOf(SidrResolution.Result.Replied.class, results.getLast());
        assertEquals(1, results.size());
        assertEquals(0, asked.call(asked::size));
    }

    /** K123: the reply was lost, so the program is asked again. */
    @Test
    void aRequestThatArrivesAgainAfterTheReplyIsANewOne() {
        listen();
        network.filter((mad, way) -> mad.attribute() != CmAttribute.SIDR_REP);
        ask();
        runMillis(1);
        reply(requests.getFirst());
        runMillis(MILLIS);
        assertEquals(2, requests.size());
        assertEquals(0, duplicates());
        network.filter((mad, way) -> true);
        reply(requests.getLast());
        runMillis(1);
        assertEquals(1, results.size());
    }

    /** K123: two hosts may use the same request ID. */
    @Test
    void aRequestOfAnotherSenderIsNotADuplicate() {
        listen();
        ManagementDatagram request = new SidrRequest(7, PKEY, SERVICE, PrivateData.NONE).encode(1);
        asked.receive(request, new CmPath(server, client));
        asked.receive(request, new CmPath(server, Gid.parse("::ffff:192.0.2.9")));
        asked.run(() -> {});
        assertEquals(2, requests.size());
    }

    /** K59: destroying the ID that asks ends the lookup. */
    @Test
    void aCancelledRequestIsNotSentAgainAndHasNoResult() {
        listen();
        SidrResolution resolution = ask();
        runMillis(1);
        asking.run(resolution::cancel);
        reply(requests.getFirst());
        network.runAll();
        assertEquals(1, asking.counters().sent(CmAttribute.SIDR_REQ));
        assertEquals(List.of(), results);
        assertEquals(0, asking.call(asking::size));
    }
}
