package io.jverbs.spi.journal;

import jdk.jfr.FlightRecorder;

/** Whether Java Flight Recorder may record the events of devices. Thread-safe. */
public final class FlightRecording {
    private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /**
     * {@return whether this JVM has Java Flight Recorder and it is in use} Callers test it before they compute what
     * they record, and before they use a class that refers to {@code jdk.jfr}.
     */
    public static boolean isOn() {
        return PRESENT && FlightRecorder.isInitialized();
    }
}
