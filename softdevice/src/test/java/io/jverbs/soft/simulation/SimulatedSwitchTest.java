package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpType;
import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.control.SimulatedQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The queue of the switch of a simulated network: its time, its size and what it drops. */
final class SimulatedSwitchTest {
    private static final String OPTIONS = "seed=4&network=switch-test&time=stepped&delay=0us";
    /** The length of a packet of a UC message with 1000 bytes: IP, UDP, BTH, RETH, payload, ICRC. */
    private static final int PACKET = 20 + 8 + 12 + 16 + 1000 + 4;

    @Test
    void packetsLeaveTheQueueOneAfterTheOther() {
        try (ConnectedPair pair = new ConnectedPair(QpType.UC, 1000, OPTIONS + "&switch=8Mbit,10000")) {
            for (int i = 0; i < 3; i++) {
                pair.write(i);
            }
            pair.network.advance(Duration.ofMillis(10));

            assertEquals(3, pair.packets(Fate.ARRIVED).size());
            for (int i = 0; i < 3; i++) {
                assertEquals(Duration.ofNanos(1_000L * PACKET * (i + 1)), pair.packets(Fate.ARRIVED).get(i).arrives());
            }
            SimulatedQueue queue = pair.network.queue(1);
            assertEquals(3, queue.packets());
            assertEquals(3 * PACKET + 1, queue.longest());
            assertEquals(0, queue.dropped());
            assertEquals(0, pair.network.queue(0).packets());
        }
    }

    @Test
    void aPacketThatFindsNoRoomIsDropped() {
        try (ConnectedPair pair = new ConnectedPair(QpType.UC, 1000, OPTIONS + "&switch=8Mbit,2500")) {
            for (int i = 0; i < 5; i++) {
                pair.write(i);
            }
            pair.network.advance(Duration.ofMillis(10));

            assertEquals(2, pair.packets(Fate.ARRIVED).size());
            assertEquals(3, pair.packets(Fate.QUEUE_FULL).size());
            assertEquals(new SimulatedQueue(5, 3, 0, 2 * PACKET + 1, (4 * (2 * PACKET + 1) - PACKET) / 5),
                    pair.network.queue(1));
        }
    }

    @Test
    void theQueueOfOneDeviceDoesNotDelayPacketsToAnother() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 1000, OPTIONS + "&switch=8Mbit,10000")) {
            pair.write(1);
            pair.awaitSent(1);

            assertEquals(1, pair.network.queue(0).packets());
            assertEquals(1, pair.network.queue(1).packets());
            assertEquals(0, pair.network.queue(0).mean());
        }
    }
}
