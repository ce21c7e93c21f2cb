package io.jverbs.spi.journal;

import java.net.InetSocketAddress;

/**
 * Records the events of the connection manager as events of Java Flight Recorder, if this JVM has it and it is in use.
 * Otherwise each call only tests a flag. Thread-safe.
 */
public final class CmJournal {
    private CmJournal() {}

    /**
     * Records an event of the connection manager. It throws nothing: an event that cannot be recorded is lost. The
     * caller may hold locks.
     *
     * @param device the name of the device
     * @param local the address of the ID, null if it is not bound
     * @param remote the address of its peer, null if it has none
     * @param type the number of the event, {@code enum rdma_cm_event_type}
     * @param status 0, a negative errno, or a positive number whose meaning depends on the event
     */
    public static void event(String device, InetSocketAddress local, InetSocketAddress remote, int type, int status) {
        try {
            if (FlightRecording.isOn()) {
                CmIdEvent.record(device, local, remote, type, status);
            }
        } catch (RuntimeException | Error e) {
            // no memory or stack for the event, which is lost
        }
    }
}
