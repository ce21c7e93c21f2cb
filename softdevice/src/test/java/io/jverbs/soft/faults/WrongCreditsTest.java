package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.faults.RawPeer.ConnectedDevice;
import io.jverbs.soft.faults.RawPeer.Packet;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** L42, L43: peers that state credits which they do not have, or none, and ACKs with credits that are forged. */
@Timeout(120)
final class WrongCreditsTest {
    /** The code of an ACK timeout of 34 s: longer than the test waits, since the peer may wait for a processor. */
    private static final int TIMEOUT = 23;
    /** The code of an RNR timer of 0.64 ms. */
    private static final int RNR_TIMER = 12;
    private static final int RNR_RETRIES = 3;
    private static final int MESSAGES = 200;
    private static final int FORGED = 10;
    private static final int PSN_MASK = 0xFF_FFFF;
    /** The PSNs of forged ACKs are at most so far from that of the next message. */
    private static final int DISTANCE = 1_000;

    private static final String OTHER = LoopbackAddress.next();

    private final WorkCompletions completions = WorkCompletions.create(1);
    private final ConnectedDevice device = new ConnectedDevice(LoopbackAddress.next(), 0, TIMEOUT);
    private final CompletionQueue cq = device.cq;
    private final QueuePair qp = device.qp;
    private final RawPeer peer = device.peer;
    /** The packets that have arrived at the peer. */
    private long arrived;

    WrongCreditsTest() throws IOException {}

    @BeforeEach
    void limitRnrRetries() {
        qp.modify(QpAttributes.builder().state(QpState.SQD).build());
        qp.modify(QpAttributes.builder().state(QpState.SQD).rnrRetry(RNR_RETRIES).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).build());
    }

    @AfterEach
    void close() throws IOException {
        device.close();
    }

    private void send(int psn) throws IOException {
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(device.memory, 0, 8));
        expect(psn);
    }

    /**
     * Waits for the first packet with a PSN. A copy of the packet before it may precede it, because the peer, which may
     * wait for a processor, has not acknowledged that packet in the adaptive time.
     */
    private void expect(int psn) throws IOException {
        Packet packet = arrived();
        while (psn != 0 && packet.psn() == psn - 1) {
            packet = arrived();
        }
        assertEquals(new Packet(WireOpcode.SEND_ONLY, psn), packet);
    }

    private Packet arrived() throws IOException {
        arrived++;
        return peer.next();
    }

    /** How many packets were sent again because no response has arrived in the adaptive time. */
    private long copies() {
        return counted("roce_adp_retrans");
    }

    /**
     * Refuses the message with PSN 1, and waits until it is sent again after the RNR wait, or fails. A copy is not
     * refused: if it arrives late, the RNR NAK for it arrives during the next RNR wait, and has no effect.
     *
     * @param before how often the message was refused before
     * @return whether it is sent again
     */
    private boolean refuse(int before) throws IOException {
        peer.acknowledge(1, Aeth.rnrNak(RNR_TIMER), 1);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        boolean fails;
        long repeated;
        do {
            assertTrue(System.nanoTime() < end, "the message is not sent again within 20 s");
            Thread.onSpinWait();
            fails = counted("retry_rnr_exceeded_err") != 0;
            // the packets first: a copy that is sent meanwhile is not taken for the packet after the RNR wait
            long packets = counted("sent_pkts");
            repeated = packets - copies() - 2;
        } while (!fails && repeated <= before);
        return !fails;
    }

    private WcStatus status() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (cq.poll(completions) == 0) {
            assertTrue(System.nanoTime() < end, "no completion within 20 s");
            Thread.onSpinWait();
        }
        return completions.status(0);
    }

    private long counted(String counter) {
        return device.context.device().capability(DeviceCounters.class).orElseThrow().snapshot().get(counter);
    }

    /**
     * The columns are the credits that the peer states, -1 for none, and how often it refuses the next message. If it
     * refuses it too often, it refuses it until it fails: after a copy, a refusal uses up no retry.
     */
    @ParameterizedTest
    @CsvSource({"-1, 3", "-1, 4", "0, 3", "0, 4", "4, 3", "4, 4", "32768, 3", "32768, 4"})
    void aPeerWithoutAReceiveIsTriedAsOftenAsTheRnrRetriesPermit(int credits, int refusals) throws IOException {
        boolean tooOften = refusals > RNR_RETRIES;
        send(0);
        peer.acknowledge(0, Aeth.ack(credits), 1);
        assertEquals(WcStatus.SUCCESS, status());
        send(1);
        int refused = 0;
        boolean again = true;
        while (again && (tooOften || refused < refusals)) {
            again = refuse(refused++);
        }
        if (!tooOften) {
            peer.acknowledge(1, Aeth.ack(credits), 2);
        }
        assertEquals(tooOften ? WcStatus.RNR_RETRY_EXC_ERR : WcStatus.SUCCESS, status());
        long forCopies = tooOften ? copies() : 0;
        assertEquals(refusals + forCopies, counted("rcvd_rnr_err"));
        assertEquals(2 + Math.min(refusals, RNR_RETRIES) + forCopies + copies(), counted("sent_pkts"));
        while (arrived < counted("sent_pkts")) {
            assertEquals(new Packet(WireOpcode.SEND_ONLY, 1), arrived());
        }
    }

    /** Such an ACK cannot be told from one of the peer. Its credits have the effect of those of a peer that lies. */
    @Test
    void aForgedAckThatRepeatsTheLatestOneWithMoreCreditsCausesAnRnrNakAtMost() throws IOException {
        send(0);
        peer.acknowledge(0, Aeth.ack(1), 1);
        assertEquals(WcStatus.SUCCESS, status());
        peer.acknowledge(0, Aeth.ack(32768), 1);
        send(1);
        send(2);
        peer.acknowledge(1, Aeth.ack(0), 2);
        assertEquals(WcStatus.SUCCESS, status());
        peer.acknowledge(2, Aeth.rnrNak(RNR_TIMER), 2);
        expect(2);
        peer.acknowledge(2, Aeth.ack(0), 3);
        assertEquals(WcStatus.SUCCESS, status());
        assertEquals(1, counted("rcvd_rnr_err"));
    }

    /** They acknowledge packets of long ago, or packets that were not sent; from the peer's address or another one. */
    @Test
    void forgedAcksOfOtherPacketsNeitherStopNorFloodAConnectionAndAreCounted() throws IOException {
        Random random = new Random(7);
        try (RawPeer other = new RawPeer(OTHER, device.address, qp.number())) {
            for (int i = 0; i < MESSAGES; i++) {
                for (int j = 0; j < FORGED; j++) {
                    int psn = i + (random.nextBoolean() ? -2 - random.nextInt(DISTANCE) : 1 + random.nextInt(DISTANCE));
                    int credits = random.nextInt(4) == 0 ? 0 : 1 << random.nextInt(16);
                    (j % 2 == 0 ? peer : other).acknowledge(psn & PSN_MASK, Aeth.ack(credits),
                            random.nextInt(PSN_MASK));
                }
                send(i);
                peer.acknowledge(i, Aeth.ack(1), i + 1);
                assertEquals(WcStatus.SUCCESS, status());
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (counted("unexpected_response") + counted("wrong_address") < MESSAGES * FORGED
                && System.nanoTime() < end) {
            cq.poll(completions);
        }
        assertEquals(MESSAGES * FORGED / 2, counted("wrong_address"));
        assertEquals(MESSAGES * FORGED / 2, counted("unexpected_response"));
        assertEquals(copies(), counted("retransmissions"));
        assertEquals(MESSAGES + copies(), counted("sent_pkts"));
    }
}
