package io.jverbs.soft.simulation;

import java.util.Locale;

/** When things happen; see {@link io.jverbs.control.SimulatedNetwork}. */
enum TimeMode {
    /** When somebody polls or waits, as fast as can be. */
    AUTO,
    /** When told. */
    STEPPED,
    /** When the real clock says so. */
    REAL;

    /** The name in selectors. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
