package io.jverbs.soft.injection;

import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Throws an Error at each injection point of streams, while Flight Recorder records their ends. */
final class InjectedStreamsTest {

    @Test
    @Timeout(900)
    void anErrorInAStreamLeaksNothingAndOtherStreamsContinue() throws Exception {
        try (Recording recording = new Recording()) {
            recording.setToDisk(false);
            recording.start();
            SoftClasses.streams().errorAtEachPoint(InjectedStreams.class, "soft:soft10").report("streams").check(300);
        }
    }

    @Test
    @Timeout(300)
    void anErrorWhileAStreamConnectsFromAReservedPortLeavesThePortFree() throws Exception {
        SoftClasses.streams().errorAtEachPoint(InjectedBindings.class, "soft:soft82").report("reserved ports")
                .check(200);
    }
}
