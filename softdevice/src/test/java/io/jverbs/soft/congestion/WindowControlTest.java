package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.wire.PacketBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The size of the window in packets of 4 KiB, in steps:
 *
 * <pre>
 * a3  three windows are acknowledged    r50  a round trip of 50 us is measured
 * l   packets are lost                  n    a CNP arrives
 * </pre>
 */
final class WindowControlTest {
    private static final long PACKET = PathWindow.cost(PacketBuffer.MAX_PAYLOAD);

    private static long packets(WindowControl control) {
        return control.size() / PACKET;
    }

    private static void run(WindowControl control, String scenario) {
        for (String step : scenario.split(" ")) {
            int number = step.length() == 1 ? 1 : Integer.parseInt(step.substring(1));
            switch (step.charAt(0)) {
                case 'a' -> {
                    for (int i = 0; i < number; i++) {
                        control.acknowledged(control.size());
                    }
                }
                case 'r' -> control.roundTrip(number * 1_000L, 0);
                case 'l' -> control.lost();
                default -> control.notified(0);
            }
        }
    }

    /** The columns are whether the path stays within the host, the scenario, and the size. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            false, a,                          24
            false, l,                          12
            false, n,                          12
            false, l l n,                      12
            false, l a l,                      13
            false, l a2 l,                     7
            false, n a2 n,                     7
            false, l a99,                      24
            false, n a99,                      24
            false, l a2 l a2 l a2 l a2 l a2 l, 2
            false, r10 a8 r500 a7,             24
            false, r10 a8 r500 a8,             12
            false, r10 a8 r500 a8 r10 a20,     24
            false, r10 a r100 a r10 a r100 a5, 24
            false, r10 a8 r29 a20,             24
            false, r10 a8 r65 a20,             12
            false, r10 l r500 a r500 a r500 a r500 a r500 a, 1
            false, r10 a8 r500 a20,            12
            true,  r10 l r500 a20 r500 a20,    3
            true,  r10 l r500 a l a20,         3
            true,  r10 l r500 a20 r500 a43,    3
            true,  r10 l r500 a20 r500 a64,    24
            true,  r10 l r500 a60 l r500 a30,  2
            false, r10 l r500 a20 r500 a64,    3
            true,  r10 l a99 r500 a9,          24
            true,  r10 a r500 a99,             24
            true,  r10 a r500 a l,             12
            true,  r10 a r500 a l r500 a,      6
            true,  r10 a r500 a l r400 a,      8
            true,  r10 a r500 a l r200 a,      13
            """)
    void theWindowShrinksWhenPacketsAreLostOrTheRoundTripIsLong(boolean withinHost, String scenario, int size) {
        WindowControl control = new WindowControl(PathCapacity.UNCOALESCED, withinHost);
        run(control, scenario);

        assertEquals(size, packets(control));
    }

    /** A round trip that was too short, or whose path has changed, keeps the window small only for a while. */
    @Test
    void aShortestTimeThatIsNoLongerPossibleIsForgotten() {
        WindowControl control = new WindowControl(PathCapacity.UNCOALESCED, true);
        run(control, "r1 l");
        for (int i = 0; i < 40; i++) {
            run(control, "r400 a");
        }
        assertEquals(2, packets(control));
        for (int i = 0; i < 1_500; i++) {
            run(control, "r400 a");
        }
        assertTrue(packets(control) > 2);
    }

    @Test
    void aFloodOfCnpsDoesNotStopThePath() {
        WindowControl control = new WindowControl(PathCapacity.UNCOALESCED, false);
        int heard = 0;
        for (int i = 0; i < 10_000; i++) {
            heard += control.notified(i) ? 1 : 0;
        }
        assertEquals(1, heard);
        run(control, "r10");
        // the losses and the long round trips keep the window at its least size
        for (int i = 0; i < 10_000; i++) {
            run(control, "l r500");
            control.acknowledged(PACKET);
            control.notified(i);
            assertTrue(control.size() >= WindowControl.MIN);
        }
    }

    /** Lets a congested path begin to measure its shortest round trip; returns the time. */
    private static long measure(WindowControl control, long micros) {
        long now = 0;
        control.roundTrip(100_000, now);
        control.lost();
        while (!control.isMeasuring()) {
            now += micros * 1_000;
            control.acknowledged(control.size());
            control.roundTrip(micros * 1_000, now);
            assertTrue(now < 10_000_000_000L);
        }
        return now;
    }

    /** A large window is in flight as the measurement begins, and each of its packets is acknowledged alone. */
    @Test
    void packetsInFlightDoNotEndAMeasurement() {
        WindowControl control = new WindowControl(PathCapacity.COALESCED_LARGE_BUFFER, false);
        measure(control, 130);
        for (int i = 0; i < 90; i++) {
            control.acknowledged(PACKET);
            assertTrue(control.isMeasuring());
        }
        assertEquals(PACKET, control.size());
    }

    /** The queue is 100 times as long as the shortest round trip: more packets than a window are acknowledged. */
    @Test
    void aMeasurementAfterALongQueueEndsByTime() {
        WindowControl control = new WindowControl(PathCapacity.UNCOALESCED, false);
        long now = measure(control, 10_000);
        int packets = 0;
        while (control.isMeasuring()) {
            now += 100_000;
            control.acknowledged(PACKET);
            control.roundTrip(100_000, now);
            packets++;
        }
        assertTrue(packets > 120, "after " + packets + " packets");
    }

    /** After the measurement the window is as large as before, and no round trip of before it counts. */
    @Test
    void aMeasurementWithoutRoundTripsEndsAfterManyPackets() {
        WindowControl control = new WindowControl(PathCapacity.UNCOALESCED, false);
        measure(control, 10_000);
        for (int i = 0; i < 24 + 64; i++) {
            assertTrue(control.isMeasuring());
            control.acknowledged(PACKET);
        }
        assertFalse(control.isMeasuring());
        long size = control.size();
        control.acknowledged(size);
        assertTrue(control.size() > size, "it grows, as if the queue were empty");
    }
}
