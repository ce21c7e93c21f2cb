package io.jverbs.soft.simulation;

import java.util.Locale;

/** When the events of a network run; see {@link io.jverbs.control.SimulatedNetwork}. */
enum TimeMode {
    /** When a thread polls an empty completion queue or waits for an event, without real delay. */
    AUTO,
    /** When the program advances the network explicitly. */
    STEPPED,
    /** When they are due in real time. */
    REAL;

    /** Returns the name of the mode in selectors. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
